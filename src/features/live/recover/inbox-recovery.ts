import type { Notification } from '../../../contract/subscription.ts';
import type { Inbox } from '../store/inbox.ts';
import { lookBack, recoveredKeys, type RecoveryStore } from './recovery.ts';

/** The recovery of a receiver whose events are in an inbox. */
export interface InboxRecovery extends RecoveryStore {
  /** Whether a notification or an earlier recovery has announced the message with this key. */
  isAnnounced(key: string): boolean;
}

/** The events and sync points of a receiver in an inbox. */
export function inboxRecovery(inbox: Inbox, receiver: string): InboxRecovery {
  /** The last event that the recovery has compared with the messages of the service. */
  let compared = 0;
  function* notifications(): Generator<Notification, void, undefined> {
    for (
      let rows = inbox.after(receiver, compared);
      rows.length > 0;
      rows = inbox.after(receiver, compared)
    ) {
      for (const stored of rows) {
        compared = stored.id;
        const notification = stored.raw.includes('newMessageIds') ? stored.notification() : undefined;
        if (notification) yield notification;
      }
    }
  }
  /** Keys of the messages that were announced since the comparison. */
  const late = new Set<string>();
  const isAnnounced = (key: string): boolean => {
    for (const notification of notifications()) for (const one of recoveredKeys(notification)) late.add(one);
    return late.has(key);
  };
  return {
    isAnnounced,
    point: (extensionId) => inbox.syncPoints.of(receiver, extensionId),
    savePoint: (extensionId, point) =>
      inbox.syncPoints.set(receiver, extensionId, { ...point, position: inbox.last() }),
    since(_extensionId, { position }) {
      compared = Math.max(0, position - lookBack);
      late.clear();
      return notifications();
    },
    add: (received, origin) =>
      inbox.accept(received, receiver, origin, () => origin === 'recovered' && isAnnounced(received.key)),
  };
}
