import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { fillLargeOffice } from '../../support/large-office.ts';
import { startMachineClock, type MachineClock } from '../../support/machine-clock.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

let clock: MachineClock | undefined;
afterEach(() => clock?.restore());

/** An office of many queues behind the sandbox's own limiter. */
async function limitedOffice(queues: number, around?: (send: HttpSend) => HttpSend) {
  clock = startMachineClock();
  const cwd = temporaryFolder();
  const database = join(cwd, 'office.db');
  fillLargeOffice(database, { agents: 60, queues });
  const office = await openOffice('administrator', around, database, { rateLimits: 'realistic' });
  const { sleep } = clock;
  const rateLimited = () => office.sandbox.requestLog().filter(({ status }) => status === 429).length;
  return { office, cwd, rateLimited, options: () => ({ cwd, sleep, paths: temporaryPaths() }) };
}

it('spec:RATE-5 four concurrent processes cause no 429, although together they need more requests than the limit', async () => {
  const { office, cwd, rateLimited, options } = await limitedOffice(40);
  const lines = Array.from({ length: 30 }, (_, at) => `${50_000 + at},${10_000 + at},add\n`).join('');
  writeFileSync(join(cwd, 'list.csv'), `queue,extension,action\n${lines}`);
  const shared = options();
  const ends = await Promise.all([
    office.run('queue export -o csv -q', shared),
    office.run('queue plan -f list.csv -q', shared),
    office.run('agent list -q', shared),
    office.run('queue apply -f list.csv --max-items 2 --yes -q', shared),
  ]);
  expect(ends.map(({ exit }) => exit)).toEqual([0, 0, 0, 0]);
  const asked = office.requests();
  expect(asked.filter((line) => line.endsWith('/members')).length).toBeGreaterThan(100);
  expect(asked.filter((line) => line.startsWith('POST')).length).toBe(15);
  expect(rateLimited()).toBe(0);
});

it('the printed estimate is within 15 % of the real time under the limits of the sandbox, without a 429', async () => {
  const times: number[] = [];
  const { office, cwd, rateLimited, options } = await limitedOffice(120, (send) => (request) => {
    // From the first change on; what was announced comes just before it.
    if (times.length > 0 || request.method === 'POST') times.push(Date.now());
    return send(request);
  });
  const lines = Array.from({ length: 120 }, (_, at) => `${50_000 + at},${10_000 + (at % 60)},add\n`).join('');
  writeFileSync(join(cwd, 'list.csv'), `queue,extension,action\n${lines}`);
  const { exit, stderr } = await office.run('queue apply -f list.csv --max-items 5 --yes', options());
  expect([exit, rateLimited()]).toEqual([0, 0]);
  const minutes = Number(/^this takes about (\d+) min: 24 heavy and 120 light requests$/m.exec(stderr)?.[1]);
  const took = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 60_000;
  expect(Math.abs(minutes - took) / took).toBeLessThan(0.15);
});

it('without a terminal reports progress every 10 s, and waits for the rate limit', async () => {
  const { office, options } = await limitedOffice(120);
  const { exit, stderr } = await office.run('queue export -o csv', options());
  expect(exit).toBe(0);
  expect(stderr).toMatch(/^Reading queue members takes about 2 min: 123 light requests$/m);
  expect(stderr).toMatch(/^waiting [1-6]\d s for the service's rate limit$/m);
  expect(stderr.match(/^waiting/gm)?.length).toBeLessThanOrEqual(3);
});
