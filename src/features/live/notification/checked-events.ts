import { usageError } from '../../../errors/command.ts';
import { toFilters, usesExtensions } from './filters.ts';

/** The options that select the watched extensions. */
interface WatchedExtensions {
  readonly extension: readonly string[];
  readonly allExtensions?: boolean;
}

/**
 * Checks `--events` before the first request. @throws {CommandError} `usage` for an unknown event or a reminder that is
 * out of bounds, and for extensions that no event uses.
 */
export function checkEvents(
  events: readonly string[],
  lifetimeSeconds: number | undefined,
  { extension, allExtensions }: WatchedExtensions,
): void {
  const { filters, problems } = toFilters(events, { extensions: ['~'], lifetimeSeconds });
  if (problems.length > 0)
    throw usageError('--events contains invalid events', 'fix these events; nothing was sent', problems);
  if (filters.length === 0)
    throw usageError('--events contains no event', 'specify at least one event, such as messages');
  if ((extension.length === 0 && !allExtensions) || usesExtensions(events)) return;
  const option = allExtensions ? '--all-extensions' : '--extension';
  throw usageError(
    `${option} applies only to messages, presence and lines, which --events does not contain`,
    `add one of these events, or omit ${option}; a path contains the ID of its extension`,
  );
}
