import type { Delivery } from '../store/deliveries.ts';
import type { EventStore } from '../store/event-store.ts';
import { isNumberedName } from '../subscription/receiver-name.ts';

export interface PendingDeliveries {
  readonly deliveries: readonly Delivery[];
  /** Releases the names of the other receivers. */
  release(): void;
}

/**
 * Returns the pending deliveries to these targets of a receiver, and of receivers of the same command that have ended.
 * The names of these receivers are locked until `release`, because a process with such a name would also deliver the
 * events.
 */
export function pendingDeliveries(
  inbox: EventStore,
  receiver: string,
  targets: { has(name: string): boolean },
): PendingDeliveries {
  const base = receiver.replace(/-\d+$/, '');
  const receiverOf = ({ eventId }: Delivery): string => inbox.byId(eventId)[0]?.receiver ?? receiver;
  const pending = (): readonly Delivery[] =>
    inbox.deliveries.in('pending').filter(({ target }) => targets.has(target));
  const others = new Set(pending().map(receiverOf));
  others.delete(receiver);
  const locks = new Map<string, { release(): void }>();
  for (const name of others) {
    const lock = isNumberedName(name, base) ? inbox.lockReceiver(name) : undefined;
    if (!lock) continue;
    locks.set(name, lock);
    inbox.attempts.endAll(name);
  }
  return {
    // A receiver may have delivered its events before its name was locked, so they are read again.
    deliveries: pending().filter((one) => receiverOf(one) === receiver || locks.has(receiverOf(one))),
    release: () => {
      for (const lock of locks.values()) lock.release();
      locks.clear();
    },
  };
}
