import type { Input, Sink } from './streams.ts';

/** A text as standard input of a nested command line (`Context.run`). */
export function inputOf(content: string): Input {
  return {
    isTerminal: false,
    text: () => Promise.resolve(content),
    bytes: () => Promise.resolve(Buffer.from(content)),
    async *lines() {
      yield* content.split('\n').filter((line) => line !== '');
    },
  };
}

/** A stream of a nested command line whose text is collected. */
export function sinkTo(target: { add(text: string): void }): Sink {
  return {
    isTerminal: false,
    columns: undefined,
    write: (text, onWritten) => {
      target.add(text);
      onWritten?.();
      return Promise.resolve();
    },
  };
}

/** Collects the text of a stream. */
export class Pieces {
  readonly #pieces: string[] = [];

  add(text: string): void {
    this.#pieces.push(text);
  }

  get text(): string {
    return this.#pieces.join('');
  }
}
