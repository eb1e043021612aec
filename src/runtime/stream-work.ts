import type { LineQueue } from '../platform/line-queue.ts';
import type { Context } from './context.ts';
import type { View } from './output.ts';

/**
 * Runs work and shows the lines that it adds, until the work ends, the run is interrupted, or the reader of the output
 * has closed it. @throws what the work or the output throws, after the work has ended.
 */
export async function streamWork<T extends object>(
  ctx: Pick<Context, 'out' | 'signal'>,
  lines: LineQueue<T>,
  view: View<T>,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  ctx.signal.addEventListener('abort', onAbort);
  if (ctx.signal.aborted) stop.abort();
  const working = work(stop.signal).finally(() => lines.end());
  try {
    await Promise.all([ctx.out.stream(lines, view).finally(onAbort), working]);
  } finally {
    // If the output has failed, the work still stores its results before the run closes the store.
    await working.catch(() => undefined);
    ctx.signal.removeEventListener('abort', onAbort);
  }
}
