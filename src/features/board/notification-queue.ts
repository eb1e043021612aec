import type { Notification } from '../../contract/subscription.ts';

/** A notification as a live session passes it on. */
export interface QueuedNotification {
  /** What makes it unique. */
  readonly key: string;
  /** Undefined when it is encrypted and cannot be read. */
  readonly notification: Notification | undefined;
}

/** Keys of notifications that are remembered to drop duplicates; the oldest is dropped first. */
const rememberedKeys = 100_000;

/** Notifications in memory until they are read, each once: a board shows the present state and needs no history. */
export class NotificationQueue {
  readonly #keys = new Set<string>();
  readonly #waiting: Notification[] = [];
  #closed = false;
  #wake: () => void = () => {};

  /** Takes a notification unless it was taken before or cannot be read. */
  push({ key, notification }: QueuedNotification): void {
    if (!notification || this.#keys.has(key)) return;
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > rememberedKeys && oldest !== undefined) this.#keys.delete(oldest);
    this.#waiting.push(notification);
    this.#wake();
  }

  /** Ends the reading once everything has been read. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** Everything that was pushed, in order, until closed. For one reader. */
  async *read(): AsyncGenerator<Notification, void, undefined> {
    while (true) {
      const next = this.#waiting.shift();
      if (next) yield next;
      else if (this.#closed) return;
      else await new Promise<void>((wake) => (this.#wake = wake));
    }
  }
}
