import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startSandbox, type ClockMode, type Sandbox } from '../../../src/sandbox/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { userClient } from '../request.ts';

const modes = ['real', 'frozen', '60x'] as const satisfies readonly ClockMode[];
const day = 86_400_000;

const start = (database: string, clock: ClockMode) => startSandbox({ listen: false, database, clock });

async function sendText(sandbox: Sandbox): Promise<void> {
  const user = await userClient(sandbox, '102');
  const { status } = await user.post('/account/~/extension/~/sms', {
    from: { phoneNumber: '+16505550112' },
    to: [{ phoneNumber: '+16505550160' }],
    text: 'now',
  });
  expect(status).toBe(200);
}

/** The creation time of the newest message. */
const newest = (sandbox: Sandbox) => Math.max(...sandbox.messages().map(({ creationTime }) => creationTime));

describe('the clock never goes back between two starts of a database', () => {
  const pairs = modes.flatMap((first) => modes.map((second) => [first, second] as const));
  test.each(pairs)('%s, then %s', async (first, second) => {
    const database = join(temporaryFolder(), 'office.db');
    const one = await start(database, first);
    await one.clock.advance(day);
    await sendText(one);
    const before = one.clock.now();
    await one.close();
    await using two = await start(database, second);
    expect(two.clock.now()).toBeGreaterThanOrEqual(before);
  });

  test('frozen, real, frozen: messages of the real clock are in the default list', async () => {
    const database = join(temporaryFolder(), 'office.db');
    await (await start(database, 'frozen')).close();
    const real = await start(database, 'real');
    await sendText(real);
    await real.close();
    await using frozen = await start(database, 'frozen');
    const user = await userClient(frozen, '102');
    const { body } = await user.get('/account/~/extension/~/message-store');
    expect(body.records).toMatchObject([{ subject: 'now' }]);
  });

  test('an accelerated clock that overtook the machine, then real', async () => {
    const database = join(temporaryFolder(), 'office.db');
    const fast = await start(database, '60x');
    await fast.clock.advance(10 * 365 * day);
    const before = fast.clock.now();
    await fast.close();
    for (const mode of ['real', 'real', 'frozen'] as const) {
      await using next = await start(database, mode);
      expect(next.clock.now()).toBeGreaterThanOrEqual(before);
    }
  });

  test('a crash of a sandbox with a real clock, then frozen', async () => {
    const database = join(temporaryFolder(), 'office.db');
    const real = await start(database, 'real');
    await sendText(real);
    const sent = newest(real);
    await real.crash();
    await using frozen = await start(database, 'frozen');
    expect(frozen.clock.now()).toBeGreaterThanOrEqual(sent);
  });

  test('a new frozen clock, then an earlier start time', async () => {
    const database = join(temporaryFolder(), 'office.db');
    const first = await start(database, 'frozen');
    const time = first.clock.now();
    await first.close();
    await using second = await startSandbox({ listen: false, database, startTime: time - day });
    expect(second.clock.now()).toBe(time);
  });

  test("a real clock after the machine's clock was set back", async () => {
    const database = join(temporaryFolder(), 'office.db');
    const first = await start(database, 'real');
    await sendText(first);
    const sent = newest(first);
    await first.close();
    const machine = vi.spyOn(Date, 'now').mockReturnValue(sent - day);
    onTestFinished(() => machine.mockRestore());
    await using second = await start(database, 'real');
    expect(second.clock.now()).toBeGreaterThanOrEqual(sent);
    // With the correct time, the clock follows the machine again.
    await second.close();
    machine.mockRestore();
    await using third = await start(database, 'real');
    expect(Math.abs(third.clock.now() - Date.now())).toBeLessThan(day / 2);
  });
});

describe('a snapshot and a reset set the clock, also for the next start', () => {
  test.each(modes)('snapshot of a sandbox with the clock %s', async (mode) => {
    const database = join(temporaryFolder(), 'office.db');
    const first = await start(database, mode);
    const saved = first.clock.now();
    await first.control('POST', '/snapshots', { name: 'before' });
    await first.clock.advance(10 * day);
    await sendText(first);
    await first.control('POST', '/snapshots/before/load', {});
    expect(first.clock.now() - saved).toBeLessThan(day);
    await first.close();
    for (const next of modes) {
      await using sandbox = await start(database, next);
      expect(sandbox.clock.now()).toBeGreaterThanOrEqual(saved);
    }
  });

  test.each(modes)('reset of a sandbox with the clock %s', async (mode) => {
    const database = join(temporaryFolder(), 'office.db');
    const first = await start(database, mode);
    const began = first.clock.now();
    await first.clock.advance(10 * day);
    await first.control('POST', '/reset', {});
    const reset = first.clock.now();
    expect(reset - began).toBeLessThan(day);
    await first.close();
    await using second = await start(database, mode);
    expect(second.clock.now() - began).toBeLessThan(day);
    expect(second.clock.now()).toBeGreaterThanOrEqual(reset);
  });
});

test('with a real clock, a request that changes nothing does not write to the disk', async () => {
  await using sandbox = await start(join(temporaryFolder(), 'office.db'), 'real');
  const user = await userClient(sandbox, '102');
  const path = '/account/~/extension/~/message-store';
  await user.get(path);
  const hash = (await sandbox.control('GET', '/state'))['hash'];
  await user.get(path);
  expect((await sandbox.control('GET', '/state'))['hash']).toBe(hash);
});
