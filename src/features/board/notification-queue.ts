import type { Notification } from '../../contract/subscription.ts';

/** A notification of a live session. */
export interface QueuedNotification {
  /** Identifies the notification, for removing duplicates. */
  readonly key: string;
  /** Undefined if the notification cannot be decrypted. */
  readonly notification: Notification | undefined;
}

/** Reports that events were missed, for example while the service was unreachable. */
export interface MissedEvents {
  readonly missed: true;
}

/** Maximum number of keys that are stored for removing duplicates; the oldest is removed first. */
const rememberedKeys = 100_000;

/**
 * Stores notifications in memory until they are read, without duplicates. A board shows the current state and needs no
 * history.
 */
export class NotificationQueue {
  readonly #keys = new Set<string>();
  /** The keys from the oldest on. A new iterator for each key would first skip all removed keys. */
  readonly #fromOldest = this.#keys.values();
  readonly #waiting: (Notification | MissedEvents)[] = [];
  #closed = false;
  #wake: () => void = () => {};

  /** Adds a notification, unless it is a duplicate or unreadable. */
  push({ key, notification }: QueuedNotification): void {
    if (!notification || this.#keys.has(key)) return;
    this.#keys.add(key);
    if (this.#keys.size > rememberedKeys) this.#keys.delete(this.#fromOldest.next().value ?? '');
    this.#waiting.push(notification);
    this.#wake();
  }

  /** Adds a report that events were missed, after the current notifications. */
  miss(): void {
    this.#waiting.push({ missed: true });
    this.#wake();
  }

  /** Ends the reading after the current notifications. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** Yields the notifications and reports of missed events in order until the queue is closed. Supports only one reader. */
  async *read(): AsyncGenerator<Notification | MissedEvents, void, undefined> {
    while (true) {
      const next = this.#waiting.shift();
      if (next) yield next;
      else if (this.#closed) return;
      else await new Promise<void>((wake) => (this.#wake = wake));
    }
  }
}
