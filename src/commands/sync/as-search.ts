import { SearchError } from '../../features/mirror/index.ts';
import type { ReadTime } from '../../store/message-store.ts';
import type { Context } from '../../runtime/context.ts';
import { readMoment } from '../../platform/moment.ts';
import { usageError } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';

/**
 * Parses a search with times such as `7d` or `yesterday`; days are in the zone of `--tz`. @throws {CommandError}
 * `usage`.
 */
export function asSearch<T>(
  { now, out }: Pick<Context, 'now' | 'out'>,
  understand: (readTime: ReadTime) => T,
): T {
  try {
    return understand((time) => readMoment(time, now(), out.zone));
  } catch (error) {
    if (error instanceof SearchError) throw usageError(error.message, ucctl('sync search --help'));
    throw error;
  }
}
