import { messageOf } from '../../errors/command.ts';
import { unlessAborted } from '../../platform/aborted.ts';
import { limitTime } from '../../platform/time-limit.ts';

/** Runs work for at most the given time. @returns the reason of a failure; undefined for success. */
export async function withinTime(
  milliseconds: number,
  work: () => Promise<unknown>,
): Promise<string | undefined> {
  const limit = limitTime(new AbortController().signal, milliseconds);
  try {
    await unlessAborted(work(), limit.signal);
    return undefined;
  } catch (error) {
    return messageOf(error);
  } finally {
    limit.end();
  }
}
