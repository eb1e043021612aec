import { constants } from 'node:fs';
import { chmod, open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isTemporaryOf, reserveSpace, temporaryPrefix, writeFileAtomic } from '../platform/atomic-file.ts';
import { fileFailureHint, fileFailureReason } from '../platform/file-failure.ts';
import { shellQuoted } from '../platform/shell-quoted.ts';
import { CommandError, Exit } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';
import { sessionsFolder } from './sessions-folder.ts';
import type { ReservedItem, TokenStore } from './token-store.ts';
import { ownProcess } from '../platform/own-process.ts';
import { requireOwn } from '../platform/ownership.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { deleteFile } from '../platform/delete-file.ts';

/** Milliseconds after which a reserved file belongs to a process that was killed: longer than any renewal. */
const abandonedMilliseconds = 600_000;

/** Bytes that the check before a sign-in writes: about the size of a session. */
const preflightBytes = 4096;

/**
 * Stores items in files of mode 0600 in a folder of mode 0700: as plain text if the user requests it, or
 * encrypted with another `suffix`.
 */
export function createFileStore(configFolder: string, suffix = '.json'): TokenStore {
  const folder = sessionsFolder(configFolder);
  const fileOf = (item: string): string => join(folder, `${encodeURIComponent(item)}${suffix}`);
  const prefixOf = (item: string): string => `${encodeURIComponent(item)}${suffix}.`;
  const read = async (item: string): Promise<string | undefined> => {
    requireOwn(folder);
    return readPrivate(fileOf(item));
  };
  const prepare = async (item: string): Promise<string> => {
    const file = fileOf(item);
    // Reading rejects a folder or file that was replaced by a link, so that ucctl does not overwrite the
    // target of the link.
    await read(item);
    await saving(file, async () => {
      makeFolder(folder, 0o700);
      await chmod(folder, 0o700);
    });
    return file;
  };
  const write = async (item: string, text: string): Promise<void> => {
    const file = await prepare(item);
    await saving(file, () => writeFileAtomic(file, text, undefined, prefixOf(item)));
  };
  const reserve = async (item: string, bytes: number): Promise<ReservedItem> => {
    const file = await prepare(item);
    // Each process has its own file, because locks may not work if the folder is on a network.
    const space = await saving(file, () => reserveSpace(file, bytes, undefined, prefixOf(item)));
    await removeAbandoned(folder, prefixOf(item));
    return {
      write: (text) => saving(file, () => space.write(text)),
      release: () => space.release(),
    };
  };
  const remove = async (item: string): Promise<boolean> => {
    const existed = (await read(item)) !== undefined;
    const removeAll = async (): Promise<void> => {
      const files = [fileOf(item), ...(await temporaryFiles(folder, prefixOf(item)))];
      await Promise.all(files.map((file) => deleteFile(file)));
    };
    await removeAll().catch((error: unknown) => {
      throw notDeleted(fileOf(item), error);
    });
    return existed;
  };
  return {
    kind: 'file',
    place: folder,
    read,
    write,
    reserve,
    list: (prefix) => listItems(folder, prefix, suffix),
    delete: remove,
    async preflight() {
      // Each process has its own temporary file, so that several can check at the same time.
      const space = await reserve('.preflight', preflightBytes);
      await space.release();
    },
  };
}

function notDeleted(file: string, cause: unknown): CommandError {
  return new CommandError('token_store_failed', Exit.local, `cannot delete the session file ${file}`, {
    hint: 'check the permissions of the folder',
    details: [fileFailureReason(cause)],
    cause,
  });
}

/** Returns the items with a prefix, including items of which only a killed process has left a temporary file. */
async function listItems(folder: string, prefix: string, suffix: string): Promise<readonly string[]> {
  requireOwn(folder);
  const start = encodeURIComponent(prefix);
  const names = await namesIn(folder).catch((error: unknown) => {
    throw unreadable(folder, error);
  });
  const files = new Set(names.map((name) => temporaryPrefix(name)?.slice(0, -1) ?? name));
  return [...files]
    .filter((name) => name.startsWith(start) && name.endsWith(suffix))
    .map((name) => decodeURIComponent(name.slice(0, -suffix.length)));
}

/** Returns the paths of the temporary files with a prefix; empty if the folder does not exist. */
async function temporaryFiles(folder: string, prefix: string): Promise<readonly string[]> {
  const names = await namesIn(folder);
  return names.filter((name) => isTemporaryOf(name, prefix)).map((name) => join(folder, name));
}

/** Returns the names in a folder; none if the folder does not exist. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

/** Removes the files that killed processes left. A failure is ignored, because the next renewal repeats this. */
async function removeAbandoned(folder: string, prefix: string): Promise<void> {
  const files = await temporaryFiles(folder, prefix).catch(() => []);
  const found = await Promise.all(
    files.map(async (file) => ({ file, time: (await stat(file).catch(() => undefined))?.mtimeMs })),
  );
  // Ages are relative to the newest file, because the clock of a file server may differ.
  const newest = Math.max(...found.map(({ time = 0 }) => time));
  const abandoned = found.filter(({ time }) => time !== undefined && newest - time > abandonedMilliseconds);
  await Promise.all(abandoned.map(({ file }) => deleteFile(file).catch(() => undefined)));
}

/** @throws {CommandError} `token_store_failed`, exit 12. */
async function saving<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new CommandError('token_store_failed', Exit.local, `cannot save the session in ${file}`, {
      hint: 'check the free disk space and the permissions of the folder',
      details: [fileFailureReason(error)],
      cause: error,
    });
  }
}

/**
 * Returns undefined if the file does not exist. @throws {CommandError} for a link, and for a file that other users own
 * or can read.
 */
async function readPrivate(file: string): Promise<string | undefined> {
  let handle: FileHandle;
  try {
    // Windows has no O_NOFOLLOW; its constant is absent there.
    handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP' || code === 'EMLINK')
      throw unsafe(file, 'is a symbolic link', `rm ${shellQuoted(file)}`);
    throw unreadable(file, error);
  }
  try {
    await requirePrivate(handle, file);
    return await handle.readFile('utf8').catch((error: unknown) => {
      throw unreadable(file, error);
    });
  } finally {
    await handle.close();
  }
}

function unreadable(file: string, cause: unknown): CommandError {
  return new CommandError('token_store_failed', Exit.local, `cannot read the session file ${file}`, {
    hint: fileFailureHint(cause) ?? 'check the owner and the permissions of the file',
    details: [fileFailureReason(cause)],
    cause,
  });
}

async function requirePrivate(handle: FileHandle, file: string): Promise<void> {
  const user = ownProcess.userId;
  // On Windows, the ACL of the folder controls access, not the mode bits of the file.
  if (user === undefined) return;
  const { mode, uid } = await handle.stat();
  if (uid !== user) throw unsafe(file, `belongs to another user (uid ${uid})`, `rm ${shellQuoted(file)}`);
  if (mode & 0o077) {
    const shown = (mode & 0o777).toString(8).padStart(4, '0');
    throw unsafe(file, `is readable by other users (mode ${shown})`, `chmod 600 ${shellQuoted(file)}`);
  }
}

function unsafe(file: string, what: string, command: string): CommandError {
  return new CommandError('token_file_unsafe', Exit.local, `the session file ${file} ${what}`, {
    hint: nextStep`${command}, then sign in again: ${ucctl('login')}`,
  });
}
