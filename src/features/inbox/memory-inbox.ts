import type { Notification } from '../../contract/subscription.ts';
import type { Received } from './notification.ts';
import type { Intake } from './receive.ts';

/** Keys remembered for telling duplicates; the oldest is forgotten first. */
const rememberedKeys = 100_000;

/** Keeps notifications in memory until they are read, each once: for views that show how things are now and need no history. */
export class MemoryInbox implements Intake {
  readonly #keys = new Set<string>();
  readonly #waiting: Notification[] = [];
  #closed = false;
  #wake: () => void = () => {};

  accept({ key, notification }: Received): Promise<void> {
    if (this.#keys.has(key) || !notification) return Promise.resolve();
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > rememberedKeys && oldest !== undefined) this.#keys.delete(oldest);
    this.#waiting.push(notification);
    this.#wake();
    return Promise.resolve();
  }

  reject(): void {
    // A view has no use for what is no notification.
  }

  /** Ends the reading once everything that was accepted has been read. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** Everything accepted, in the order of acceptance, until closed. For one reader. */
  async *read(): AsyncGenerator<Notification, void, undefined> {
    while (true) {
      const next = this.#waiting.shift();
      if (next) yield next;
      else if (this.#closed) return;
      else await new Promise<void>((wake) => (this.#wake = wake));
    }
  }
}
