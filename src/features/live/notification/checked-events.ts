import { usageError } from '../../../errors/command.ts';
import { toFilters } from './filters.ts';

/**
 * Checks `--events` before the first request. @throws {CommandError} `usage` for an unknown event or a reminder that is
 * out of bounds.
 */
export function checkEvents(events: readonly string[], lifetimeSeconds: number | undefined): void {
  const { filters, problems } = toFilters(events, { extensions: ['~'], lifetimeSeconds });
  if (problems.length > 0)
    throw usageError('--events contains invalid events', 'fix these events; nothing was sent', problems);
  if (filters.length === 0)
    throw usageError('--events contains no event', 'specify at least one event, such as messages');
}
