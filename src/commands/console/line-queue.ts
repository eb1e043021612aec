/** The lines of a text that arrives in pieces, for one reader. */
export class LineQueue {
  readonly #lines: string[] = [];
  #unfinished = '';
  #isOver = false;
  #wake: () => void = () => undefined;

  add(text: string): void {
    const lines = (this.#unfinished + text).split('\n');
    this.#unfinished = lines.pop() ?? '';
    this.#lines.push(...lines.filter((line) => line !== ''));
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Yields the lines until `end`. */
  async *read(): AsyncGenerator<string, void, undefined> {
    for (;;) {
      while (this.#lines.length > 0) yield this.#lines.shift() ?? '';
      if (this.#isOver) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
