import { constants } from 'node:fs';
import { chmod, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../platform/atomic-file.ts';
import { CommandError, Exit } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';
import { sessionsFolder } from './sessions-folder.ts';
import type { TokenStore } from './token-store.ts';
import { ownProcess } from '../platform/own-process.ts';
import { requireOwn } from '../platform/ownership.ts';
import { makeFolder } from '../platform/make-folder.ts';

/** Plain text in files of mode 0600 below a folder of mode 0700; only when the user asks for it, or of sealed items with another `suffix`. */
export function createFileStore(configFolder: string, suffix = '.json'): TokenStore {
  const folder = sessionsFolder(configFolder);
  const fileOf = (item: string): string => join(folder, `${encodeURIComponent(item)}${suffix}`);
  const read = async (item: string): Promise<string | undefined> => {
    requireOwn(folder);
    return readPrivate(fileOf(item));
  };
  const write = async (item: string, text: string): Promise<void> => {
    const file = fileOf(item);
    // A link put in the place of the folder or the file is a reason to stop, not to overwrite.
    await read(item);
    try {
      makeFolder(folder, 0o700);
      await chmod(folder, 0o700);
      await writeFileAtomic(file, text);
    } catch (error) {
      throw new CommandError('token_store_failed', Exit.local, `the session cannot be saved in ${file}`, {
        hint: 'check the free space and the mode of that folder',
        details: [(error as Error).message],
        cause: error,
      });
    }
  };
  const remove = async (item: string): Promise<boolean> => {
    const there = (await read(item)) !== undefined;
    await rm(fileOf(item), { force: true }).catch((error: Error) => {
      throw new CommandError(
        'token_store_failed',
        Exit.local,
        `the session file ${fileOf(item)} cannot be removed`,
        {
          hint: 'check the mode of that folder',
          details: [error.message],
          cause: error,
        },
      );
    });
    return there;
  };
  return {
    kind: 'file',
    place: folder,
    read,
    write,
    delete: remove,
    async preflight() {
      await write('.preflight', '{}');
      await remove('.preflight');
    },
  };
}

/** Undefined when there is none. Refuses a link, and a file that others can read or that another user owns. */
async function readPrivate(file: string): Promise<string | undefined> {
  let handle: FileHandle;
  try {
    // Windows has no O_NOFOLLOW; its constant is absent there.
    handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP' || code === 'EMLINK') throw unsafe(file, 'is a symbolic link', `rm '${file}'`);
    throw new CommandError('token_store_failed', Exit.local, `the session file ${file} cannot be read`, {
      details: [(error as Error).message],
      cause: error,
    });
  }
  try {
    await refuseShared(handle, file);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

async function refuseShared(handle: FileHandle, file: string): Promise<void> {
  const user = ownProcess.userId;
  // Windows: access is a matter of the folder's ACL, not of these bits.
  if (user === undefined) return;
  const { mode, uid } = await handle.stat();
  if (uid !== user) throw unsafe(file, `belongs to another user (uid ${uid})`, `rm '${file}'`);
  if (mode & 0o077) {
    const shown = (mode & 0o777).toString(8).padStart(4, '0');
    throw unsafe(file, `can be read by others (mode ${shown})`, `chmod 600 '${file}'`);
  }
}

function unsafe(file: string, what: string, command: string): CommandError {
  return new CommandError('token_file_unsafe', Exit.local, `the session file ${file} ${what}`, {
    hint: nextStep`${command}, then sign in again: ${ucctl('login')}`,
  });
}
