import type { Received } from './notification.ts';

/** Where received notifications are kept before the service gets its 200. One in memory here; one on disk can take its place. */
export interface Inbox {
  /** Resolves when the notification is safe; only then is it acknowledged. A known key is acknowledged and not kept twice. */
  accept(received: Received): Promise<'new' | 'duplicate'>;
}

/** Keys remembered for telling duplicates; the oldest is forgotten first. */
const rememberedKeys = 100_000;

/** Keeps notifications in memory until the reader takes them, each once. */
export class MemoryInbox implements Inbox {
  readonly #keys = new Set<string>();
  readonly #waiting: Received[] = [];
  #closed = false;
  #wake: () => void = () => {};

  accept(received: Received): Promise<'new' | 'duplicate'> {
    if (this.#keys.has(received.key)) return Promise.resolve('duplicate');
    this.#keys.add(received.key);
    const [oldest] = this.#keys;
    if (this.#keys.size > rememberedKeys && oldest !== undefined) this.#keys.delete(oldest);
    this.#waiting.push(received);
    this.#wake();
    return Promise.resolve('new');
  }

  /** Ends the reading once everything that was accepted has been read. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** Everything accepted, in the order of acceptance, until closed. For one reader. */
  async *read(): AsyncGenerator<Received, void, undefined> {
    while (true) {
      const next = this.#waiting.shift();
      if (next) yield next;
      else if (this.#closed) return;
      else await new Promise<void>((wake) => (this.#wake = wake));
    }
  }
}
