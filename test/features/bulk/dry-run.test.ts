import { expect, it } from 'vitest';
import { KeyUsedError } from '../../../src/errors/command.ts';
import { DryRunStop, type DryRunRequest } from '../../../src/errors/dry-run-stop.ts';
import { sendDryRun, showNoRequests } from '../../../src/features/bulk/dry-run.ts';
import type { Context } from '../../../src/runtime/context.ts';

const stop = (url: string, before: readonly DryRunRequest[] = []) =>
  new DryRunStop({ method: 'POST', url } as DryRunRequest, before);
const used = new KeyUsedError('used', { outcome: 1, state: 'sent', id: '5' });
const failing = (reason: Error) => () => Promise.reject(reason);
const skipped = [{ row: 1, code: 'not_found', message: 'no such number' }];

it('a dry run makes all requests, and ends with the last as a list', async () => {
  const [first, last] = [stop('/1'), stop('/2')];
  const noted: (readonly KeyUsedError[])[] = [];
  const run = sendDryRun([failing(first), failing(used), failing(last)], [], (errors) => noted.push(errors));
  await expect(run).rejects.toBe(last);
  expect([last.isList, last.cause, noted]).toEqual([true, undefined, [[used]]]);
});

it('a dry run with skipped rows fails after its requests', async () => {
  const last = stop('/1');
  await expect(sendDryRun([failing(last)], skipped)).rejects.toBe(last);
  expect(last.cause).toMatchObject({ code: 'partial', exit: 8, message: '1 row would be skipped' });
});

it('a dry run without a request returns, also after sends whose key was used', async () => {
  const noted: (readonly KeyUsedError[])[] = [];
  await sendDryRun([failing(used)], skipped, (errors) => noted.push(errors));
  expect(noted).toEqual([[used]]);
});

it('a dry run ends with any other error, before further requests', async () => {
  const failure = new Error('no journal');
  let sent = 0;
  const next = () => Promise.resolve((sent += 1));
  await expect(sendDryRun([failing(stop('/1')), failing(failure), next])).rejects.toBe(failure);
  expect(sent).toBe(0);
});

it.each([
  ['table', false, []],
  ['json', true, [[]]],
])('a dry run without requests in the format %s shows an empty list: %s', async (format, isShown, lists) => {
  const shown: unknown[] = [];
  const out = { format, list: (rows: unknown) => Promise.resolve(void shown.push(rows)) };
  expect(await showNoRequests({ out } as unknown as Context)).toBe(isShown);
  expect(shown).toEqual(lists);
});
