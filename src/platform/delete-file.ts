import { unlinkSync } from 'node:fs';
import { unlink } from 'node:fs/promises';

/**
 * Deletes a file, or a link itself and never its target, if it exists. `fs.rm` of Node 20 reports `ENOTDIR` for a file that
 * the system does not permit to delete.
 */
export async function deleteFile(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    throwUnlessMissing(error);
  }
}

/** Like `deleteFile`, for code that cannot wait. */
export function deleteFileSync(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    throwUnlessMissing(error);
  }
}

function throwUnlessMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
