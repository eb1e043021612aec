import type { EventStore } from '../store/event-store.ts';

/** The ID of the subscription that a receiver created, recorded so that the next run can delete it after a crash. */
export class RecordedSubscription {
  readonly #store: EventStore;
  readonly #receiver: string;

  constructor(store: EventStore, receiver: string) {
    this.#store = store;
    this.#receiver = receiver;
  }

  /** Recorded ID of the subscription; undefined if none is recorded. */
  get id(): string | undefined {
    return this.#store.recordedIds.of(this.#receiver);
  }

  set(subscriptionId: string): void {
    this.#store.recordedIds.set(this.#receiver, subscriptionId);
  }

  forget(): void {
    this.#store.recordedIds.forget(this.#receiver);
  }
}
