import { ownProcess } from '../own-process.ts';
import { StoreError } from '../store-error.ts';

/** How often work is repeated while the server restarts. */
const restartAttempts = 20;
const restartPauseMilliseconds = 500;

/**
 * Repeats work with a store for about 10 s while the connection is lost, for example because the server restarts. The work
 * must be safe to repeat: a commit whose reply was lost may have succeeded.
 * @throws {StoreError} the last failure, and every other error at once.
 */
export async function lasting<T>(
  sleep: (milliseconds: number) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const end = ownProcess.monotonicMilliseconds() + restartAttempts * restartPauseMilliseconds;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isRestart = error instanceof StoreError && ['lost', 'unreachable'].includes(error.problem);
      // An attempt to connect may take 10 s itself.
      const isOver = attempt >= restartAttempts || ownProcess.monotonicMilliseconds() >= end;
      if (!isRestart || isOver) throw error;
      await sleep(restartPauseMilliseconds);
    }
  }
}
