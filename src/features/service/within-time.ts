import { messageOf } from '../../errors/command.ts';
import { waitAtMost } from '../../platform/time-limit.ts';

/** Runs work for at most the given time. @returns the reason of a failure; undefined for success. */
export async function withinTime(
  milliseconds: number,
  work: () => Promise<unknown>,
): Promise<string | undefined> {
  try {
    await waitAtMost(milliseconds, work());
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
