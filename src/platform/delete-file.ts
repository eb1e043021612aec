import { unlink } from 'node:fs/promises';

/**
 * Deletes a file, or a link itself and never its target, if it exists. `fs.rm` of Node 20 reports `ENOTDIR` for a file that
 * the system does not permit to delete.
 */
export async function deleteFile(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
