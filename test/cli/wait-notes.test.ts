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
  [503, 'GET /restapi/v1.0/account/~/extension/~/presence failed (HTTP 503); retry 1 of 4 in 30 s\n'],
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

const request = { method: 'GET', path: '/x' };
const unreachable = new ConnectionError('ECONNREFUSED', 'no', 'https://service.example', undefined);
const reset = new ConnectionError('ECONNRESET', 'unknown', 'https://service.example', undefined);

/** The notes of waits on a terminal, and a clock in milliseconds. */
function onTerminal() {
  const said: (readonly unknown[])[] = [];
  const clock = { now: 0 };
  const report = waitNotes(
    {
      stderr: { write: () => Promise.resolve(), isTerminal: true, columns: 80, rows: 24 },
      elapsed: () => clock.now,
    },
    { note: (...texts) => void said.push(texts) },
  );
  return { said, clock, report };
}

it('a board shows no duration and no number, because it does not update its messages', () => {
  const { said, report } = onTerminal();
  report({ reason: 'rate-limit', milliseconds: 30_000, request });
  report({ reason: 'retry', milliseconds: 2000, retry: { number: 2, limit: 4 }, request, error: reset });
  expect(said).toEqual([
    ["waiting 30 s for the service's rate limit", "waiting for the service's rate limit"],
    ['GET /x failed (ECONNRESET); retry 2 of 4 in 2.0 s', 'GET /x failed (ECONNRESET); retrying'],
  ]);
});

it('on a terminal, an outage is reported once, and again after a minute without a failure', () => {
  const { said, clock, report } = onTerminal();
  const outage = (): void => {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const retry = { number: (attempt % 4) + 1, limit: 4 };
      report({ reason: 'retry', milliseconds: 300, retry, request, error: unreachable });
      clock.now += 10_000;
    }
  };
  const failure = 'cannot connect to https://service.example: connection refused (ECONNREFUSED)';
  outage();
  expect(said).toEqual([[`${failure}; retry 1 of 4 in 0.3 s`, `${failure}; retrying`]]);
  report({ reason: 'retry', milliseconds: 300, request, error: reset });
  expect(said).toHaveLength(2);
  clock.now += 60_000;
  outage();
  expect(said).toHaveLength(3);
});

it('on a terminal, rate limit waits of parallel requests that end together are reported once', () => {
  const { said, clock, report } = onTerminal();
  for (let round = 0; round < 3; round += 1) {
    for (let parallel = 0; parallel < 5; parallel += 1)
      report({ reason: 'rate-limit', milliseconds: 60_000 - parallel, request });
    clock.now += 60_000;
  }
  expect(said.map(([text]) => text)).toEqual(
    Array.from({ length: 3 }, () => "waiting 60 s for the service's rate limit"),
  );
});

it('without a terminal, each retry after a Retry-After has its number and the maximum of --retry', async () => {
  const { run } = await openOffice('administrator', busy(2, 503));
  let now = Date.UTC(2026, 0, 5);
  const { stderr } = await run('presence show --retry 2', {
    now: () => now,
    sleep: (milliseconds) => {
      now += milliseconds;
      return Promise.resolve();
    },
  });
  expect(stderr).toContain('(HTTP 503); retry 1 of 2 in 30 s\n');
  expect(stderr).toContain('(HTTP 503); retry 2 of 2 in 30 s\n');
});
