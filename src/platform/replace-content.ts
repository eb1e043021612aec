import { constants } from 'node:fs';
import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isNullDevice, writeFileAtomic, type Owner } from './atomic-file.ts';
import { ownProcess } from './own-process.ts';
import { writeAll } from './write-all.ts';

/**
 * Replaces the content of a file that the user names, as a shell does: symbolic links, hard links, owner and mode stay. The
 * file is replaced atomically if possible. Otherwise it is overwritten in place, which a full disk cannot interrupt.
 * A new file gets mode 0600. Nothing is written to the null device.
 * @throws the error of the system; the content is then unchanged. `ESPIPE` for a pipe or device
 */
export async function replaceContent(file: string, content: string | Uint8Array): Promise<void> {
  if (await isNullDevice(file)) return;
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  // In a folder such as /tmp, the system does not follow the links of other users. It follows them in `realpath`.
  const entry = await ifFound(() => stat(file));
  const target = await targetOf(file);
  if (entry && entry.uid !== ownProcess.userId) await requireAccess(target);
  if (entry && entry.nlink > 1) return overwriteInPlace(target, bytes);
  const isReplaced = await replaceFile(target, bytes, entry);
  if (!isReplaced) await overwriteInPlace(target, bytes);
}

/** Opens a file of another user. With O_CREAT, the system rejects a file that somebody placed in a folder such as /tmp. */
async function requireAccess(file: string): Promise<void> {
  const handle = await open(file, constants.O_WRONLY | constants.O_CREAT);
  await handle.close();
}

/**
 * Reasons why an existing file cannot be replaced: its folder is not writable, a new file cannot get its owner, or the
 * file is mounted alone, as into a container.
 */
const irreplaceable: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY']);

/** Returns false if an existing file cannot be replaced. */
async function replaceFile(file: string, content: Uint8Array, owner: Owner | undefined): Promise<boolean> {
  try {
    await writeFileAtomic(file, content, owner);
    return true;
  } catch (error) {
    if (owner && irreplaceable.has((error as NodeJS.ErrnoException).code)) return false;
    throw error;
  }
}

/** Overwrites a file in place. Parts beyond the current end are written first, because only they need free disk space. */
export async function overwriteInPlace(file: string, content: Uint8Array): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const { size } = await handle.stat();
    await extend(handle, size, content.subarray(size));
    await writeAll(handle, content.subarray(0, size), 0);
    await handle.truncate(content.length);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function extend(handle: FileHandle, size: number, added: Uint8Array): Promise<void> {
  try {
    await writeAll(handle, added, size);
  } catch (error) {
    await handle.truncate(size);
    throw error;
  }
}

/** Returns the file that a path leads to, which may not exist. */
async function targetOf(file: string): Promise<string> {
  const found = await ifFound(() => realpath(file));
  if (found !== undefined) return found;
  // The path may be a link to a missing file.
  const link = await readlink(file).catch(() => undefined);
  return link === undefined ? file : resolve(dirname(file), link);
}

async function ifFound<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
