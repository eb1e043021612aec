import { RecordedSubscription } from './recorded-id.ts';
import type { Inbox } from '../store/inbox.ts';

export interface AcquiredReceiver {
  readonly name: string;
  release(): void;
}

const maxReceivers = 100;

/** Yields the names that processes with this base name use: `base`, `base-2` and so on. */
function* namesOf(base: string): Generator<string, void, undefined> {
  for (let number = 1; number < maxReceivers; number += 1) yield number === 1 ? base : `${base}-${number}`;
}

/**
 * Acquires a receiver name that no other process uses: `base`, `base-2` and so on. Cursors and sync points belong to
 * the name, so that a run after a kill resumes where the killed run stopped. The name is released when the process
 * ends, even by a kill.
 */
export function acquireReceiver(store: Inbox, base: string): AcquiredReceiver {
  for (const name of namesOf(base)) {
    const lock = store.lockReceiver(name);
    if (lock) return { name, release: () => lock.release() };
  }
  throw new RangeError(
    `${maxReceivers - 1} receivers named ${base} are running, which is the maximum; stop a receiver`,
  );
}

/**
 * Returns the start of the receiver named `base`, `base-2` and so on that runs longest; undefined if none runs. A killed
 * process leaves its record, so the lock of a recorded name is tested.
 */
export function runningSince(
  store: Pick<Inbox, 'lockReceiver' | 'holderOf'>,
  base: string,
): string | undefined {
  const starts: string[] = [];
  for (const name of namesOf(base)) {
    const holder = store.holderOf(name);
    if (!holder) continue;
    const lock = store.lockReceiver(name);
    lock?.release();
    if (!lock) starts.push(holder.since);
  }
  return starts.toSorted()[0];
}

/** Whether a receiver name is `base`, or `base` with a number. */
export function isNumberedName(name: string, base: string): boolean {
  return name.startsWith(base) && /^(-\d+)?$/.test(name.slice(base.length));
}

/** A receiver whose process ended without deleting its subscription. Its name is locked until `release`. */
export interface AbandonedReceiver {
  readonly recorded: RecordedSubscription;
  release(): void;
}

/** Yields the receivers named `base`, `base-2` and so on that recorded a subscription and are no longer running. */
export function* abandonedReceivers(
  store: Inbox,
  base: string,
): Generator<AbandonedReceiver, void, undefined> {
  for (const name of store.recordedIds.receivers()) {
    if (!isNumberedName(name, base)) continue;
    const lock = store.lockReceiver(name);
    if (lock) yield { recorded: new RecordedSubscription(store, name), release: () => lock.release() };
  }
}
