import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { Clock } from '../../../src/sandbox/world/clock.ts';
import type { MetaStore } from '../../../src/sandbox/world/meta-store.ts';
import type { TimerStore } from '../../../src/sandbox/world/timer-store.ts';
import { userClient } from '../request.ts';
import { eventually } from '../../support/eventually.ts';
import { conditionLimit } from '../../support/limits.ts';

const text = {
  from: { phoneNumber: '+16505550112' },
  to: [{ phoneNumber: '+16505550160' }],
  text: 'on time',
};

describe('spec:SANDBOX-19 one clock', () => {
  test('advance runs every due timer in order, each at its own time, and says what fired', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    await user.post('/account/~/extension/~/sms', text);
    const start = sandbox.clock.now();
    const fired = await sandbox.clock.advance(5 * 86_400_000);
    expect(fired.slice(0, 2)).toMatchObject([
      { kind: 'message.sent', due: start + 500 },
      { kind: 'message.delivered', due: start + 2000 },
    ]);
    expect(sandbox.messages()[0]).toMatchObject({ deliveryTime: start + 2000 });
    expect(sandbox.clock.now()).toBe(start + 5 * 86_400_000);
  });

  test('freeze, resume and speed go on from the present', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const start = sandbox.clock.now();
    expect(await sandbox.control('GET', '/clock')).toMatchObject({ mode: 'frozen' });
    await sandbox.control('POST', '/clock', { mode: '100000x' });
    await eventually(() => expect(sandbox.clock.now() - start).toBeGreaterThan(10_000));
    await sandbox.control('POST', '/clock', { mode: 'frozen' });
    const frozen = sandbox.clock.now();
    await sandbox.control('POST', '/clock', { mode: 'real' });
    // At the speed of before, this would be over within milliseconds.
    expect(sandbox.clock.now() - frozen).toBeLessThan(conditionLimit);
    expect(sandbox.clock.now()).toBeGreaterThanOrEqual(frozen);
    await expect(sandbox.control('POST', '/clock', { mode: '0x' })).rejects.toMatchObject({ status: 400 });
    await expect(sandbox.control('POST', '/clock', { mode: 'fast' })).rejects.toMatchObject({ status: 400 });
  });

  test('a faster clock runs timers by itself', async () => {
    await using sandbox = await startSandbox({ listen: false, clock: '1000x' });
    const user = await userClient(sandbox, '102');
    await user.post('/account/~/extension/~/sms', text);
    await eventually(() => expect(sandbox.messages()[0]?.messageStatus).toBe('Delivered'));
  });

  test('a real clock that was put forward runs timers at their own times', async () => {
    await using sandbox = await startSandbox({ listen: false, clock: 'real' });
    const user = await userClient(sandbox, '102');
    await user.post('/account/~/extension/~/sms', text);
    await sandbox.clock.advance(60_000);
    const [sent] = sandbox.messages();
    expect(sent?.messageStatus).toBe('Delivered');
    const took = (sent?.deliveryTime ?? 0) - (sent?.creationTime ?? 0);
    expect(took).toBeGreaterThanOrEqual(2000);
    expect(took).toBeLessThan(60_000);
  });
});

test('timers run after a time in which the database could not be written', async () => {
  const open = new Set([{ id: 1, due: 0, kind: 'late', subject: '' }]);
  const [fired, failures]: [string[], unknown[]] = [[], []];
  const run = <T>(work: () => T): T => work();
  const clock = new Clock({
    mode: 'real',
    startTime: 0,
    meta: { number: () => undefined, set: () => undefined } as unknown as MetaStore,
    timers: { next: () => [...open][0], remove: () => open.clear() } as unknown as TimerStore,
    now: run,
    soon: async (work) => {
      if (failures.length === 0) throw new Error('database is locked');
      return work();
    },
    part: run,
    fire: ({ kind }) => void fired.push(kind),
    failed: (error) => void failures.push(error),
  });
  onTestFinished(() => clock.stop());
  clock.schedule();
  await eventually(() => expect(fired).toEqual(['late']));
  expect(failures).toEqual([new Error('database is locked')]);
});

test('Date is the time of the clock of the service, over a socket and in process', async () => {
  await using sandbox = await startSandbox();
  const time = new Date(sandbox.clock.now()).toUTCString();
  const dates = await Promise.all(
    ['/restapi', '/nowhere'].map(async (path) => (await fetch(`${sandbox.url}${path}`)).headers.get('date')),
  );
  expect(dates).toEqual([time, time]);
  const { headers } = await sandbox.fetch(new Request('http://localhost/restapi'));
  expect(headers.get('date')).toBe(time);
});
