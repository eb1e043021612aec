import { messageOf } from '../../errors/command.ts';
import { limitTime } from '../../platform/time-limit.ts';

/** Runs work for at most the given time. @returns the reason of a failure; undefined for success. */
export async function withinTime(
  milliseconds: number,
  work: () => Promise<unknown>,
): Promise<string | undefined> {
  const limit = limitTime(new AbortController().signal, milliseconds);
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
