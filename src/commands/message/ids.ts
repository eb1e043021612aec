import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

/** Only ids may become part of a path, because some of these requests delete. @throws {CommandError} `usage` for an invalid id. */
export function checkIds(ids: readonly string[]): void {
  const bad = ids.find((id) => !/^\d{1,20}$/.test(id));
  if (bad !== undefined)
    throw usageError(
      `"${bad}" is not a valid message ID`,
      nextStep`list message ids: ${ucctl('message list')}`,
    );
}
