import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { writeFileAtomic, type Owner } from './atomic-file.ts';
import { writeAll } from './write-all.ts';

/**
 * Replaces the content of a file of the user. Symbolic links, hard links, owner and mode stay. The file is replaced atomically
 * if possible. Otherwise it is overwritten in place, which a full disk cannot interrupt.
 * @throws the error of the system; the content is then unchanged
 */
export async function replaceContent(file: string, content: Uint8Array): Promise<void> {
  const target = await targetOf(file);
  const entry = await ifFound(() => stat(target));
  if (entry && entry.nlink > 1) return overwriteInPlace(target, content);
  const isReplaced = await replaceFile(target, content, entry);
  if (!isReplaced) await overwriteInPlace(target, content);
}

/** Returns false if an existing file cannot be replaced, because its folder is not writable or a new file cannot get its owner. */
async function replaceFile(file: string, content: Uint8Array, owner: Owner | undefined): Promise<boolean> {
  try {
    await writeFileAtomic(file, content, owner);
    return true;
  } catch (error) {
    if (owner && ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
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
