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

  async *read(): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#closed) {
        if (this.#error !== undefined) throw this.#error;
        return;
      } else {
        await new Promise<void>((wake) => {
          this.#wake = wake;
        });
      }
    }
  }
}
