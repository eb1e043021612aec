import { setImmediate as turn } from 'node:timers/promises';

/** A queue with several writers and one reader. */
export class Channel<T> {
  readonly #waiting: T[] = [];
  #closed = false;
  #error: unknown;
  #wake: () => void = () => undefined;

  get isClosed(): boolean {
    return this.#closed;
  }

  push(value: T): void {
    this.#waiting.push(value);
    this.#wake();
  }

  /** Ends the reading after the current values. With an error, the reader throws this error. */
  close(error?: unknown): void {
    this.#closed = true;
    this.#error ??= error;
    this.#wake();
  }

  /** Yields all waiting values at once, in their order, so that a slow reader does not fall behind. */
  async *read(): AsyncGenerator<readonly T[], void, undefined> {
    for (;;) {
      if (this.#waiting.length === 0 && !this.#closed) {
        await new Promise<void>((wake) => {
          this.#wake = wake;
        });
      }
      // A writer with many values adds all values that it already has before the reader continues.
      await turn();
      if (this.#waiting.length > 0) yield this.#waiting.splice(0);
      else if (this.#closed) {
        if (this.#error !== undefined) throw this.#error;
        return;
      }
    }
  }
}
