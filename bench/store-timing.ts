import type { Rows } from '../src/store/message-store.ts';

/** Returns the time that `work` takes, seconds. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Reads all rows. */
export async function drain(rows: Rows<unknown>): Promise<void> {
  for await (const _ of rows);
}
