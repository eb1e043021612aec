import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/**
 * Replaces a file as a whole: readers see the old content or the new one, also after a crash. The file is made with mode 0600 in
 * a folder of mode 0700, so nothing is ever readable by others for a moment.
 */
export async function writeFileAtomic(file: string, content: string): Promise<void> {
  const folder = dirname(file);
  makeFolder(folder, 0o700);
  // Loaded here: commands that only read settings would pay for it at every start.
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
    throw error;
  }
  await syncFolder(folder);
}

/** Makes what was renamed or linked in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder for this; the rename is durable there without it.
  const handle = await open(folder, 'r').catch(() => undefined);
  if (!handle) return;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
