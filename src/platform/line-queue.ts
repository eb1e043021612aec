/** Lines that arrive from several tasks and are written one after the other. */
export class LineQueue<T> implements AsyncIterable<T> {
  readonly #lines: T[] = [];
  #isEnded = false;
  #wake: () => void = () => undefined;

  add(line: T): void {
    this.#lines.push(line);
    this.#wake();
  }

  /** Ends the iteration after the lines that were added. */
  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) yield line;
      else if (this.#isEnded) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
