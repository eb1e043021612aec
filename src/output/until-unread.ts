import type { Sink } from '../runtime/system.ts';

/** The reader of stdout went away, as `head` does when it has enough. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
}

/**
 * The rows as they come, until their reader goes away: also while none comes.
 * @throws {ClosedPipe} then. The source is told to end and not waited for: it may be waiting for its next row.
 */
export async function* untilUnread<T>(rows: AsyncIterable<T>, stdout: Sink): AsyncGenerator<T, void> {
  const { onUnread } = stdout;
  if (!onUnread) {
    yield* rows;
    return;
  }
  let isGone = false;
  // Not a promise to race with: each race would leave a reaction on it, for as long as the stream lasts.
  let wake: () => void = () => undefined;
  const stop = onUnread(() => {
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
      if (!next) throw new ClosedPipe('nobody reads stdout');
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
