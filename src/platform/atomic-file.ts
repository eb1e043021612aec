import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/**
 * Replaces a file atomically: readers see the old or the new content, even after a crash. The file is created with mode
 * 0600 in a folder of mode 0700, so that other users can never read it.
 * @throws the error of the system, with the path of the file
 */
export async function writeFileAtomic(file: string, content: string | Uint8Array): Promise<void> {
  const folder = dirname(file);
  makeFolder(folder, 0o700);
  // node:crypto is loaded at the first write, because most commands only read settings.
  const { randomBytes } = await import('node:crypto');
  const temporary = join(folder, `.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw ofFile(error, file);
  }
  await syncFolder(folder);
}

/** Returns the error of the system with the path of the file, in place of the path of its temporary file. */
function ofFile(error: unknown, file: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  return Object.assign(new Error(`${code}: ${syscall} '${file}'`, { cause: error }), {
    code,
    syscall,
    path: file,
  });
}

/** Flushes a folder to disk, so that renames and links in it survive a crash. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, but makes renames durable without a flush.
  const handle = await open(folder, 'r').catch(() => undefined);
  if (!handle) return;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
