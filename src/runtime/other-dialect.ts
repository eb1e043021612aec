import { type CommandError, usageError } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';

/** Returns the error for a command that the dialect of the profile does not have. */
export function otherDialect(path: readonly string[], needed: string, dialect: string): CommandError {
  return usageError(
    `${path.join(' ')} is not available in dialect ${dialect}`,
    nextStep`if your service uses dialect ${needed}: ${ucctl(`config set dialect ${needed}`)}`,
  );
}
