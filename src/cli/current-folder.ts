import { CommandError, Exit } from '../errors/command.ts';

/**
 * The folder that the command was started in.
 * @param read asks the system for it
 * @throws {CommandError} where it was deleted since; only commands that need a folder end with it.
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
