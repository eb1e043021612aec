import { CommandError, Exit } from '../errors/command.ts';

/**
 * Returns the current folder of the process. @param read reads the folder from the system
 * @throws {CommandError} if the folder was deleted; only commands that use the folder fail.
 */
export function currentFolder(read: () => string): string {
  try {
    return read();
  } catch (error) {
    throw new CommandError('no_current_folder', Exit.local, 'the current folder no longer exists', {
      hint: 'change to another folder (cd) and run the command again',
      cause: error,
    });
  }
}
