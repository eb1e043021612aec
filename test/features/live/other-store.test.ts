import { describe, expect, it, onTestFinished } from 'vitest';
import { Inbox, readNotification, storeInStream, type Received } from '../../../src/features/live/index.ts';
import { OtherStore } from '../../../src/features/live/other-store.ts';
import { inboxRecovery } from '../../../src/features/live/recover/inbox-recovery.ts';
import { fakeEventStream } from '../../support/fake-event-stream.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const receiver = 'listen';
const point = { token: 't', takenAt: 0, known: [], position: 0 };

function announcement(uuid: string, ...ids: readonly string[]): Received {
  const event = '/restapi/v1.0/account/1/extension/2/message-store';
  const body = { extensionId: '2', changes: [{ type: 'SMS', newCount: ids.length, newMessageIds: ids }] };
  const received = readNotification(JSON.stringify({ uuid, event, body }));
  if (!received) throw new Error('no notification');
  return received;
}

const notification = announcement('n', '5');
const recovered = announcement('recovered:2:5', '5');

/** Signals that a test waits for and gives. */
function gate() {
  let open: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const opened = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { open, fail, opened };
}

/** A receiver whose events also go to a stream. The event with the key waits for `end` before the stream has it. */
function receiverWith(slowKey?: string) {
  const inbox = Inbox.open(temporaryFolder(), 'work', () => 0);
  onTestFinished(() => inbox.close());
  const [began, end] = [gate(), gate()];
  const { stream, keys } = fakeEventStream(async ({ key }) => {
    if (key !== slowKey) return;
    began.open();
    await end.opened;
  });
  const other = new OtherStore({ inbox, receiver, alsoStore: (event) => storeInStream(stream, event) });
  const recovery = inboxRecovery(inbox, receiver);
  expect([...(recovery.since('2', point) as Iterable<unknown>)]).toEqual([]);
  const shared = other.recoveryOf(recovery);
  return {
    keys,
    began: began.opened,
    end: end.open,
    fail: end.fail,
    accept: (received: Received) => other.accept(received, 'webhook'),
    recover: () => shared.add(recovered, 'recovered'),
  };
}

describe('a message in a stream', () => {
  it('is not recovered while its notification is being stored', async () => {
    const it = receiverWith('n');
    const accepted = it.accept(notification);
    await it.began;
    const added = it.recover();
    it.end();
    expect([await accepted, await added]).toEqual(['new', 'duplicate']);
    expect(it.keys()).toEqual(['n']);
  });

  it('is not recovered after its notification', async () => {
    const it = receiverWith();
    await it.accept(notification);
    expect(await it.recover()).toBe('duplicate');
    expect(it.keys()).toEqual(['n']);
  });

  it('is there once if its notification arrives while it is being recovered, or later', async () => {
    const it = receiverWith('recovered:2:5');
    const added = it.recover();
    await it.began;
    const accepted = it.accept(notification);
    it.end();
    expect([await added, await accepted]).toEqual(['new', 'new']);
    await it.accept(announcement('retry', '5'));
    expect(it.keys()).toEqual(['recovered:2:5']);
  });

  it('is there again if its notification also announces a message that was not recovered', async () => {
    const it = receiverWith();
    await it.recover();
    await it.accept(announcement('both', '5', '6'));
    expect(it.keys()).toEqual(['recovered:2:5', 'both']);
  });

  it('is stored if the event for which it waited could not be stored', async () => {
    const it = receiverWith('n');
    const accepted = it.accept(notification);
    await it.began;
    const retried = it.accept(announcement('retry', '5'));
    it.fail(new Error('no connection'));
    await expect(accepted).rejects.toThrow('no connection');
    expect(await retried).toBe('new');
    expect(it.keys()).toEqual(['retry']);
  });

  it('does not delay the events of other messages', async () => {
    const it = receiverWith('n');
    const accepted = it.accept(notification);
    await it.began;
    expect(await it.accept(announcement('m', '6'))).toBe('new');
    it.end();
    await accepted;
    expect(it.keys()).toEqual(['m', 'n']);
  });
});
