import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

/** @throws {CommandError} `usage` for what is no id: nothing else may reach a path that deletes. */
export function checkIds(ids: readonly string[]): void {
  const bad = ids.find((id) => !/^\d{1,20}$/.test(id));
  if (bad !== undefined)
    throw usageError(`"${bad}" is no id of a message`, nextStep`ids: ${ucctl('message list')}`);
}
