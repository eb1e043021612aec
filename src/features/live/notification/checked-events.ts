import { usageError } from '../../../errors/command.ts';
import { toFilters } from './filters.ts';

/** @throws {CommandError} `usage` before anything is sent when one of the words is no event, or a reminder is out of bounds. */
export function checkEvents(events: readonly string[], lifetimeSeconds: number | undefined): void {
  const { filters, problems } = toFilters(events, { extensions: ['~'], lifetimeSeconds });
  if (problems.length > 0) throw usageError('these events cannot be subscribed to', undefined, problems);
  if (filters.length === 0) throw usageError('--events names no event');
}
