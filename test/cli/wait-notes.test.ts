import { expect, it } from 'vitest';
import { waitNotes } from '../../src/cli/wait-notes.ts';
import type { HttpSend } from '../../src/client/index.ts';
import { ConnectionError } from '../../src/errors/service.ts';
import { openOffice } from '../commands/office.ts';
import { fakeReply } from '../support/fake-service.ts';

/** Everything but the first so many replies, which put off. */
function busy(times: number, status: number) {
  let left = times;
  return (send: HttpSend): HttpSend =>
    (request) => {
      if (left === 0) return send(request);
      left -= 1;
      return Promise.resolve(fakeReply({ status, headers: { 'retry-after': '30' } }));
    };
}

it.each([
  [429, "waiting 30 s for the service's rate limit\n"],
  [503, 'GET /restapi/v1.0/account/~/extension/~/presence failed (HTTP 503); retrying in 30 s\n'],
])('without a terminal a wait after %i is reported in seconds', async (status, said) => {
  const { run } = await openOffice('administrator', busy(1, status));
  let now = Date.UTC(2026, 0, 5);
  const clock = {
    now: () => now,
    sleep: (milliseconds: number): Promise<void> => {
      now += milliseconds;
      return Promise.resolve();
    },
  };
  const { exit, stderr } = await run('presence show', clock);
  expect([exit, stderr]).toEqual([0, said]);
  expect((await run('presence show --quiet', clock)).stderr).toBe('');
});

it('a board shows no duration, because it does not update its messages', () => {
  const said: unknown[] = [];
  const report = waitNotes(
    { stderr: { write: () => Promise.resolve(), isTerminal: true, columns: 80, rows: 24 }, elapsed: () => 0 },
    { note: (...texts) => void said.push(texts) },
  );
  const request = { method: 'GET', path: '/x' };
  report({ reason: 'rate-limit', milliseconds: 30_000, request });
  report({
    reason: 'retry',
    milliseconds: 2000,
    request,
    error: new ConnectionError('ECONNRESET', 'unknown', 'x', undefined),
  });
  expect(said).toEqual([
    ["waiting 30 s for the service's rate limit", "waiting for the service's rate limit"],
    ['GET /x failed (ECONNRESET); retrying in 2.0 s', 'GET /x failed (ECONNRESET); retrying'],
  ]);
});
