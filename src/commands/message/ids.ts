import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

/**
 * Checks message IDs, because only valid IDs may become part of the path of a DELETE request. @throws {CommandError}
 * `usage` for an invalid ID.
 */
export function checkIds(ids: readonly string[]): void {
  const bad = ids.find((id) => !/^\d{1,20}$/.test(id));
  if (bad !== undefined)
    throw usageError(
      `"${bad}" is not a valid message ID`,
      nextStep`to list message IDs: ${ucctl('message list')}`,
    );
}
