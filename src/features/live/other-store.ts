import type { AddedEvent } from '../../store/event-log.ts';
import type { Received } from './notification/notification.ts';
import type { InboxRecovery } from './recover/inbox-recovery.ts';
import { recoveredKeys, type RecoveryStore } from './recover/recovery.ts';
import type { Inbox } from './store/inbox.ts';
import type { Origin } from './store/stored-event.ts';

/** Where the events of a receiver are stored. */
interface Places {
  readonly inbox: Inbox;
  readonly receiver: string;
  /** Stores an event in the other place. */
  readonly alsoStore: (event: AddedEvent) => Promise<unknown>;
}

/**
 * Stores each event in another place, such as a stream, and then in the inbox. A message is recovered while its notification
 * arrives: the later of both events waits until the earlier one is in the inbox, which then shows the repetition.
 */
export class OtherStore {
  readonly #places: Places;
  /** Events that are being stored, by the keys of their messages. */
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(places: Places) {
    this.#places = places;
  }

  /** Stores an event that the service delivered. */
  accept(received: Received, origin: Origin): Promise<'new' | 'duplicate'> {
    const { inbox, receiver } = this.#places;
    const keys = received.notification ? recoveredKeys(received.notification) : [];
    return this.#alone(keys, async () => {
      await this.#alsoStore(received, origin);
      return inbox.accept(received, receiver, origin);
    });
  }

  /** Returns a recovery whose events also go to the other place. */
  recoveryOf(recovery: InboxRecovery): RecoveryStore {
    return {
      ...recovery,
      add: (received, origin) =>
        this.#alone([received.key], async () => {
          if (origin === 'recovered' && recovery.isAnnounced(received.key)) return 'duplicate';
          await this.#alsoStore(received, origin);
          return recovery.add(received, origin);
        }),
    };
  }

  #alsoStore({ key, raw, notification }: Received, origin: Origin): Promise<unknown> {
    const { receiver, alsoStore } = this.#places;
    return alsoStore({ receiver, key, raw, origin, encrypted: !notification, notification });
  }

  /** Calls `work` when no other event with one of the keys is being stored. */
  async #alone<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const others = (): readonly Promise<unknown>[] => keys.flatMap((key) => this.#underWay.get(key) ?? []);
    while (others().length > 0) await Promise.allSettled(others());
    const stored = work();
    for (const key of keys) this.#underWay.set(key, stored);
    try {
      return await stored;
    } finally {
      for (const key of keys) this.#underWay.delete(key);
    }
  }
}
