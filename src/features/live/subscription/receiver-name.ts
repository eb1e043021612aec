import { RecordedSubscription } from './recorded-id.ts';
import type { EventStore } from '../store/event-store.ts';

export interface AcquiredReceiver {
  readonly name: string;
  release(): void;
}

const most = 100;

/**
 * A receiver name that no other process has: `base`, else `base-2` and so on. Its cursors and sync points are those of the run before, so
 * that a listener that was killed goes on where it was. The name is free again when the process ends, however it ends.
 */
export function acquireReceiver(store: EventStore, base: string): AcquiredReceiver {
  for (let number = 1; number < most; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    const lock = store.lockReceiver(name);
    if (lock) return { name, release: () => lock.release() };
  }
  throw new RangeError(`${most} receivers named ${base} are running`);
}

/** A receiver whose process ended without deleting its subscription. It is locked until `release`. */
export interface AbandonedReceiver {
  readonly recorded: RecordedSubscription;
  release(): void;
}

/** The receivers called `base`, `base-2` and so on that recorded a subscription and are not running any more. */
export function* abandonedReceivers(
  store: EventStore,
  base: string,
): Generator<AbandonedReceiver, void, undefined> {
  for (const name of store.recordedIds.receivers()) {
    if (!name.startsWith(base) || !/^(-\d+)?$/.test(name.slice(base.length))) continue;
    const lock = store.lockReceiver(name);
    if (lock) yield { recorded: new RecordedSubscription(store, name), release: () => lock.release() };
  }
}
