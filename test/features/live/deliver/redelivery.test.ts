import { expect, it, onTestFinished } from 'vitest';
import { Dispatcher } from '../../../../src/features/live/deliver/dispatcher.ts';
import { startRedelivery, type Redelivery } from '../../../../src/features/live/deliver/redelivery.ts';
import { Inbox, readNotification } from '../../../../src/features/live/index.ts';
import type { Target } from '../../../../src/features/live/deliver/target.ts';
import { eventually } from '../../../support/eventually.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const lane = { target: 'one', lane: '2' };
const never = new AbortController().signal;

function openInbox(folder: string): Inbox {
  const inbox = Inbox.open(folder, 'work', () => 0);
  onTestFinished(() => inbox.close());
  return inbox;
}

async function accept(inbox: Inbox, uuid: string, extensionId = lane.lane): Promise<void> {
  const event = readNotification(JSON.stringify({ uuid, event: '/x', body: { extensionId } }));
  if (event) await inbox.accept(event, 'listen', 'webhook');
}

/** Starts the delivery of a listener that has the lock of its name. */
function startListener(inbox: Inbox, send: (uuid: string) => Promise<void>) {
  const lock = inbox.lockReceiver('listen');
  const end = new AbortController();
  const failures: unknown[] = [];
  const target: Target = { name: lane.target, accepts: () => true, send: ({ uuid }) => send(uuid) };
  const dispatcher = new Dispatcher({
    inbox,
    receiver: 'listen',
    targets: [target],
    wanted: () => true,
    keys: () => [],
    now: () => 0,
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
    onDead: () => undefined,
    onProblem: () => undefined,
    onRecovered: () => undefined,
    onWait: () => undefined,
    onStoreFailure: (error) => void failures.push(error),
    onFailure: (error) => void failures.push(error),
  });
  const running = dispatcher.run(end.signal);
  return async (): Promise<number> => {
    end.abort();
    await running;
    const left = await dispatcher.close(60_000, true);
    lock?.release();
    expect(failures).toEqual([]);
    return left;
  };
}

function requireRedelivery(inbox: Inbox): Redelivery {
  const redelivery = startRedelivery(inbox, () => undefined);
  if (!redelivery) throw new Error('another process redelivers dead letters');
  return redelivery;
}

it('a dead letter is redelivered when the attempt of a listener in its lane has ended', async () => {
  const folder = temporaryFolder();
  const [inbox, other] = [openInbox(folder), openInbox(folder)];
  await accept(inbox, 'first');
  const log: string[] = [];
  let endAttempt = (): void => undefined;
  const attempt = new Promise<void>((resolve) => (endAttempt = resolve));
  const end = startListener(inbox, async (uuid) => {
    log.push(`begin ${uuid}`);
    if (uuid === 'first') await attempt;
    log.push(`end ${uuid}`);
  });
  await eventually(() => expect(log).toEqual(['begin first']));
  const redelivery = requireRedelivery(other);
  const redelivered = redelivery.inLane(lane, never, () => Promise.resolve(void log.push('dead letter')));
  await accept(inbox, 'second');
  await accept(inbox, 'of another extension', '3');
  await eventually(() => expect(log).toContain('end of another extension'));
  expect(log).not.toContain('dead letter');
  endAttempt();
  await redelivered;
  redelivery.release();
  expect(await end()).toBe(0);
  expect(log.filter((line) => !line.includes('another'))).toEqual([
    'begin first',
    'end first',
    'dead letter',
    'begin second',
    'end second',
  ]);
});

it('a listener delivers an event when the redelivery in its lane has ended', async () => {
  const folder = temporaryFolder();
  const [inbox, other] = [openInbox(folder), openInbox(folder)];
  const log: string[] = [];
  const end = startListener(inbox, (uuid) => Promise.resolve(void log.push(uuid)));
  const redelivery = requireRedelivery(other);
  await redelivery.inLane(lane, never, async () => {
    await accept(inbox, 'waiting');
    await accept(inbox, 'of another extension', '3');
    await eventually(() => expect(log).toEqual(['of another extension']));
    log.push('dead letter');
  });
  redelivery.release();
  await eventually(() => expect(log).toEqual(['of another extension', 'dead letter', 'waiting']));
  expect(await end()).toBe(0);
});

it('only one process redelivers dead letters of an inbox', () => {
  const folder = temporaryFolder();
  const [inbox, other] = [openInbox(folder), openInbox(folder)];
  const redelivery = requireRedelivery(inbox);
  expect(startRedelivery(other, () => undefined)).toBeUndefined();
  redelivery.release();
  requireRedelivery(other).release();
});

it('attempts and redeliveries of killed processes delay nobody', async () => {
  const folder = temporaryFolder();
  const [inbox, other] = [openInbox(folder), openInbox(folder)];
  inbox.attempts.begin(lane, 'listen');
  const redelivery = requireRedelivery(other);
  expect(await redelivery.inLane(lane, never, () => Promise.resolve('redelivered'))).toBe('redelivered');
  redelivery.release();
  inbox.attempts.occupy(lane);
  const log: string[] = [];
  await accept(inbox, 'one');
  const end = startListener(inbox, (uuid) => Promise.resolve(void log.push(uuid)));
  await eventually(() => expect(log).toEqual(['one']));
  expect(await end()).toBe(0);
});

it('an interrupted redelivery no longer occupies the lane', async () => {
  const folder = temporaryFolder();
  const [inbox, other] = [openInbox(folder), openInbox(folder)];
  const lock = inbox.lockReceiver('listen');
  inbox.attempts.begin(lane, 'listen');
  const redelivery = requireRedelivery(other);
  const interrupt = new AbortController();
  const redelivered = redelivery.inLane(lane, interrupt.signal, () => Promise.resolve());
  interrupt.abort();
  await expect(redelivered).rejects.toThrow('aborted');
  expect(inbox.attempts.begin(lane, 'listen')).toBe(true);
  redelivery.release();
  lock?.release();
});
