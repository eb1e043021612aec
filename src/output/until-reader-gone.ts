import type { Sink } from '../runtime/streams.ts';

/** The program that reads stdout has closed the pipe, as `head` does. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
}

/**
 * Yields rows until the reader of stdout closes the pipe. It then stops even while it waits for a row. The source is
 * closed but not awaited, because it may be waiting for its next row.
 * @throws {ClosedPipe} when the reader closes the pipe.
 */
export async function* untilReaderGone<T>(rows: AsyncIterable<T>, stdout: Sink): AsyncGenerator<T, void> {
  const { onReaderGone } = stdout;
  if (!onReaderGone) {
    yield* rows;
    return;
  }
  let isGone = false;
  // A callback instead of Promise.race: each race would add a reaction to a promise that lives as long as the stream.
  let wake: () => void = () => undefined;
  const stop = onReaderGone(() => {
    isGone = true;
    wake();
  });
  const source = rows[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<T, unknown> | undefined>((resolve, reject) => {
        wake = () => resolve(undefined);
        if (isGone) wake();
        else source.next().then(resolve, reject);
      });
      if (!next) throw new ClosedPipe('the program that reads stdout has exited');
      if (next.done) return;
      yield next.value;
    }
  } finally {
    stop();
    const ended = source.return?.();
    if (isGone) ended?.catch(() => undefined);
    else await ended;
  }
}
