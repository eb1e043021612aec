import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';
import { live } from './listening.ts';
import { OwnClock } from './own-clock.ts';

/** A listener whose inbox can reject events, as on a full disk. The service sends each event only once. */
async function startListener() {
  const office = await openOffice();
  const paths = temporaryPaths();
  const clock = new OwnClock(Date.UTC(2026, 0, 5, 9));
  const messages: string[] = [];
  const listening = await live(office, 'webhook listen --events messages,lines', {
    paths,
    onStderr: (text) => void messages.push(text),
    now: clock.now,
    sleep: clock.sleep,
  });
  const db = openDatabase(join(paths.state, 'inbox', 'default.db'));
  onTestFinished(() => db.close());
  return {
    listening,
    rejectEvents: () =>
      db.exec("CREATE TRIGGER full BEFORE INSERT ON event BEGIN SELECT RAISE(FAIL, 'no room'); END;"),
    acceptEvents: () => db.exec('DROP TRIGGER full'),
    arrive: async (): Promise<void> => {
      await office.sandbox.control('POST', '/triggers/sms', { to: '100', text: 'hello' });
      await office.sandbox.settled();
    },
    shows: async (recovered: readonly boolean[]): Promise<void> => {
      await eventually(async () => {
        await clock.advance(5000);
        expect(listening.shown().map((one) => one.recovered ?? false)).toEqual(recovered);
      });
    },
    reports: async (text: string): Promise<void> => {
      await eventually(async () => {
        await clock.advance(5000);
        expect(messages.join('')).toContain(text);
      });
    },
  };
}

it('spec:CLIENT-28 messages whose events could not be stored are recovered after the next event', async () => {
  const { listening, rejectEvents, acceptEvents, arrive, shows } = await startListener();
  await arrive();
  rejectEvents();
  await arrive();
  await arrive();
  acceptEvents();
  await arrive();
  await shows([false, false, true, true]);
  listening.interrupt();
  const { exit, stderr } = await listening.result;
  expect(exit).toBe(0);
  expect(stderr).toMatch(/ucctl could not store events between \S+ and \S+: recovered 2 messages/);
  expect(stderr).toMatch(/cannot recover events of these types between .*: .*lines/);
});

it('spec:CLIENT-28 messages whose events could not be stored are recovered when no further event arrives', async () => {
  const { listening, rejectEvents, acceptEvents, arrive, shows, reports } = await startListener();
  rejectEvents();
  await arrive();
  await reports('could not recover events between');
  acceptEvents();
  await shows([true]);
  listening.interrupt();
  expect((await listening.result).exit).toBe(0);
});
