import { expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const billing = 171_857_203;

it.each([
  ['', 'somebody has changed the same objects since this run'],
  [' --force', 'no longer necessary: run '],
])('history undo%s detects a change of members during a slow confirmation', async (option, problem) => {
  let reads = Number.NEGATIVE_INFINITY;
  const meddles =
    (send: HttpSend): HttpSend =>
    async (request) => {
      if (request.url.pathname.endsWith('/members') && (reads += 1) === 2) {
        const url = new URL(request.url.href.replace(/\/department.*/, '/department/bulk-assign'));
        const headers = { ...request.headers, 'content-type': 'application/json' };
        const items = [{ departmentId: String(billing), removedExtensionIds: ['171857106'] }];
        await send({ ...request, method: 'POST', url, headers, body: JSON.stringify({ items }) });
      }
      return send(request);
    };
  const office = await openOffice('administrator', meddles);
  const at = { paths: temporaryPaths() };
  const members = () => office.sandbox.members(billing).map(({ extensionNumber }) => extensionNumber);
  await office.run('queue assign --queue Billing --add 106,105 --yes', at);
  const assigned = members();
  expect(assigned).toContain('106');
  office.requests();
  reads = 0;
  let now = 3_600_000;
  // Between two looks at the clock, the answer took its time.
  const slow = { ...at, now: () => (now += 2500) };
  const { exit, stderr } = await office.run(`history undo last --yes${option}`, slow);
  expect([exit, stderr]).toEqual([11, expect.stringContaining(problem)]);
  expect(members()).toEqual(assigned.filter((number) => number !== '106'));
  const retry = await office.run('history undo last --yes --force', at);
  expect([retry.exit, members().includes('105')]).toEqual([0, false]);
});
