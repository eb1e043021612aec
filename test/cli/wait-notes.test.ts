import { expect, it } from 'vitest';
import type { HttpSend } from '../../src/client/index.ts';
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
  [503, 'no usable answer to GET /restapi/v1.0/account/~/extension/~/presence; trying again in 30 s\n'],
])('off a terminal a wait that %i asked for is told with its seconds', async (status, said) => {
  const { run } = await openOffice('administrator', busy(1, status));
  let now = Date.UTC(2026, 0, 5);
  const clock = {
    now: () => now,
    sleep: (milliseconds: number): Promise<void> => {
      now += milliseconds;
      return Promise.resolve();
    },
  };
  const { exit, stderr } = await run('presence get', clock);
  expect([exit, stderr]).toEqual([0, said]);
  expect((await run('presence get --quiet', clock)).stderr).toBe('');
});
