import type { Notification } from '../../../contract/subscription.ts';
import type { EventStore } from '../store/event-store.ts';
import type { SyncPoint } from '../store/sync-points.ts';
import { lookBack, type RecoveryStore } from './recovery.ts';

/** The events and sync points of a receiver in an inbox. */
export function inboxRecovery(inbox: EventStore, receiver: string): RecoveryStore {
  return {
    point: (extensionId) => inbox.syncPoints.of(receiver, extensionId),
    savePoint: (extensionId, point) =>
      inbox.syncPoints.set(receiver, extensionId, { ...point, position: inbox.last() }),
    since: (_extensionId, point) => notificationsSince(inbox, receiver, point),
    add: (received, origin) => inbox.accept(received, receiver, origin),
  };
}

function* notificationsSince(
  inbox: EventStore,
  receiver: string,
  { position }: SyncPoint,
): Generator<Notification, void, undefined> {
  let last = Math.max(0, position - lookBack);
  for (let rows = inbox.after(receiver, last); rows.length > 0; rows = inbox.after(receiver, last)) {
    for (const stored of rows) {
      last = stored.id;
      const notification = stored.raw.includes('newMessageIds') ? stored.notification() : undefined;
      if (notification) yield notification;
    }
  }
}
