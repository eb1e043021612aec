import type { Inbox } from '../store/inbox.ts';

/**
 * The ID of the subscription that a receiver created, or its address while it is created, recorded so that the next run
 * can delete the subscription after a crash.
 */
export class RecordedSubscription {
  readonly #store: Inbox;
  readonly #receiver: string;

  constructor(store: Inbox, receiver: string) {
    this.#store = store;
    this.#receiver = receiver;
  }

  /** Recorded ID of the subscription; undefined if none is recorded. */
  get id(): string | undefined {
    return this.#store.recordedIds.of(this.#receiver);
  }

  /** Address of a subscription whose request was sent, and whose ID is not recorded. */
  get address(): string | undefined {
    return this.#store.recordedIds.addressOf(this.#receiver);
  }

  /** Records the address before the request. `set` replaces it. */
  setAddress(address: string): void {
    this.#store.recordedIds.setAddress(this.#receiver, address);
  }

  /** Whether another run has recorded the subscription. */
  isOfOther(id: string, address?: string): boolean {
    return this.#store.recordedIds.isRecorded(id, address, this.#receiver);
  }

  /** Forgets the subscription if another run has also recorded it. @returns whether another run has recorded it */
  forgetIfShared(id: string): boolean {
    return this.#store.recordedIds.forgetIfShared(this.#receiver, id);
  }

  set(subscriptionId: string): void {
    this.#store.recordedIds.set(this.#receiver, subscriptionId);
  }

  forget(): void {
    this.#store.recordedIds.forget(this.#receiver);
  }
}
