import { link, lstat, rename, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { existsError } from './download-failure.ts';
import { deleteFile } from '../../platform/delete-file.ts';

/** Device and inode of an open file. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Returns the path of the partial file of a file. */
export function partOf(file: string): string {
  return join(dirname(file), `.${basename(file)}.part`);
}

export async function identityOf(handle: FileHandle): Promise<FileIdentity> {
  const { dev, ino } = await handle.stat({ bigint: true });
  return { dev, ino };
}

/** Whether a path leads to this file, not to another or no file. */
export async function isAt({ dev, ino }: FileIdentity, path: string): Promise<boolean> {
  try {
    const found = await lstat(path, { bigint: true });
    return found.dev === dev && found.ino === ino;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Removes the partial file of a complete file, if both are the same file. */
export async function removeNamedPart(file: string): Promise<void> {
  const { dev, ino } = await lstat(file, { bigint: true });
  const part = partOf(file);
  if (await isAt({ dev, ino }, part)) await deleteFile(part).catch(() => undefined);
}

/**
 * Gives the file its name through a hard link, which fails if the name exists. A rename would replace the existing
 * file.
 * @param remove removes the partial file. A failure is ignored, because the file is complete; `removeNamedPart` repeats
 * this.
 */
export async function nameNew(
  part: string,
  file: string,
  remove: (path: string) => Promise<void> = deleteFile,
): Promise<void> {
  try {
    await link(part, file);
    await remove(part).catch(() => undefined);
    return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw existsError(file);
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK', 'EACCES'].includes(code ?? '')) throw error;
  }
  // This code runs if the file system has no hard links.
  if (await lstat(file).catch(() => undefined)) throw existsError(file);
  await rename(part, file);
}
