import type { PendingDelivery } from '../store/deliveries.ts';
import type { Inbox } from '../store/inbox.ts';
import { isNumberedName } from '../subscription/receiver-name.ts';

export interface PendingDeliveries {
  /** Whether the receiver delivers a pending delivery. */
  includes(delivery: PendingDelivery): boolean;
  /** Releases the names of the other receivers. */
  release(): void;
}

/**
 * Finds the pending deliveries to these targets of a receiver, and of receivers of the same command that have ended. Calls
 * `onPending` with each of them, for each target in the order of their IDs, which is the order of the events of each
 * receiver. The names of these receivers are locked until `release`, because a process with such a name would also deliver the
 * events. The event loop runs between two batches, because the receiver must acknowledge notifications meanwhile.
 */
export async function pendingDeliveries(
  inbox: Inbox,
  receiver: string,
  targets: Iterable<string>,
  onPending: (delivery: PendingDelivery) => void,
): Promise<PendingDeliveries> {
  const others = new EndedReceivers(inbox, receiver);
  const includes = (one: PendingDelivery): boolean => isOf(one, receiver) || others.has(one);
  try {
    for (const target of targets) {
      let batch = batchAfter(inbox, others, target, 0);
      for (let last = batch.at(-1); last; last = batch.at(-1)) {
        for (const one of batch) if (includes(one)) onPending(one);
        await new Promise((resolve) => setImmediate(resolve));
        batch = batchAfter(inbox, others, target, last.id);
      }
    }
  } catch (error) {
    others.release();
    throw error;
  }
  return { includes, release: () => others.release() };
}

function batchAfter(
  inbox: Inbox,
  others: EndedReceivers,
  target: string,
  id: number,
): readonly PendingDelivery[] {
  let batch = inbox.deliveries.pending(target, id);
  // A receiver may have delivered its events before its name was locked, so they are read again.
  while (others.lock(batch)) batch = inbox.deliveries.pending(target, id);
  return batch;
}

/** Whether a receiver delivers an event that it accepted, or that was deleted. */
function isOf(delivery: PendingDelivery, receiver: string): boolean {
  return delivery.receiver === null || delivery.receiver === receiver;
}

/** The receivers of the same command that have ended, with the locks of their names. */
class EndedReceivers {
  readonly #inbox: Inbox;
  readonly #receiver: string;
  /** The locks by name; undefined for receivers that run or belong to other commands. */
  readonly #locks = new Map<string, { release(): void } | undefined>();

  constructor(inbox: Inbox, receiver: string) {
    this.#inbox = inbox;
    this.#receiver = receiver;
  }

  has({ receiver }: PendingDelivery): boolean {
    return receiver !== null && this.#locks.get(receiver) !== undefined;
  }

  /** Locks the names of the receivers of these deliveries. Returns whether a name was locked. */
  lock(deliveries: readonly PendingDelivery[]): boolean {
    const base = this.#receiver.replace(/-\d+$/, '');
    let isAnyLocked = false;
    for (const { receiver } of deliveries) {
      if (receiver === null || receiver === this.#receiver || this.#locks.has(receiver)) continue;
      const lock = isNumberedName(receiver, base) ? this.#inbox.lockReceiver(receiver) : undefined;
      this.#locks.set(receiver, lock);
      if (!lock) continue;
      this.#inbox.attempts.endAll(receiver);
      isAnyLocked = true;
    }
    return isAnyLocked;
  }

  release(): void {
    for (const lock of this.#locks.values()) lock?.release();
    this.#locks.clear();
  }
}
