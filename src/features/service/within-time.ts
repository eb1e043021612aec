import { messageOf } from '../../errors/command.ts';
import { limitTime } from '../../platform/time-limit.ts';

/** Milliseconds for reading from a store. Prometheus waits 10 s by default. */
const mostMilliseconds = 4000;

/** Runs work for at most 4 s. @returns the reason of a failure; undefined for success. */
export async function withinTime(work: () => Promise<unknown>): Promise<string | undefined> {
  const limit = limitTime(new AbortController().signal, mostMilliseconds);
  try {
    await new Promise((resolve, reject) => {
      limit.signal.addEventListener('abort', () => reject(limit.signal.reason as Error));
      work().then(resolve, reject);
    });
    return undefined;
  } catch (error) {
    return messageOf(error);
  } finally {
    limit.end();
  }
}
