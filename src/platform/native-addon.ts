import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { ownProcess } from './own-process.ts';
import { requireOwnFile } from './ownership.ts';

/**
 * Loads a native package. The operating system can load native code only from a file, so the single executable extracts
 * its addon into the cache folder once, and checks owner, mode and content of this file before each use.
 * @param cacheFolder folder of the cache of ucctl
 * @throws {UnsafePathError} if another user could change the file.
 */
export function loadNativeAddon(name: string, cacheFolder: string): unknown {
  const packed = ownProcess.packedFiles();
  if (!packed) return createRequire(import.meta.url)(name);
  return ownProcess.loadAddon(extract(packed.read(`native/${name}.node`), join(cacheFolder, 'native')));
}

/**
 * Returns the file of an addon, named by its content, so that several versions of ucctl do not replace each other's
 * files.
 */
export function extract(addon: Uint8Array, folder: string): string {
  const digest = digestOf(addon);
  const file = join(folder, `${digest}.node`);
  makeFolder(folder, 0o700);
  requireOwnFile(file);
  if (storedDigest(file) === digest) return file;
  const temporary = join(folder, `.${digest}-${ownProcess.pid}.tmp`);
  try {
    writeFileSync(temporary, addon, { flag: 'w', mode: 0o700 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  return file;
}

function storedDigest(file: string): string | undefined {
  try {
    return digestOf(readFileSync(file));
  } catch {
    return undefined;
  }
}

function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
