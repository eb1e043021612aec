import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deleteFileSync } from './delete-file.ts';
import { makeFolder } from './make-folder.ts';
import { ownProcess } from './own-process.ts';
import { requireOwnFile } from './ownership.ts';
import { sha256 } from './sha256.ts';

/**
 * Returns the file of an addon, named by its content, so that several versions of ucctl do not replace each other's
 * files.
 */
export function extract(addon: Uint8Array, folder: string): string {
  const digest = sha256(addon);
  const file = join(folder, `${digest}.node`);
  makeFolder(folder, 0o700);
  requireOwnFile(file);
  if (storedDigest(file) === digest) return file;
  const temporary = join(folder, `.${digest}-${ownProcess.pid}.tmp`);
  try {
    writeFileSync(temporary, addon, { flag: 'w', mode: 0o700 });
    renameSync(temporary, file);
  } catch (error) {
    deleteFileSync(temporary);
    throw error;
  }
  return file;
}

function storedDigest(file: string): string | undefined {
  try {
    return sha256(readFileSync(file));
  } catch {
    return undefined;
  }
}
