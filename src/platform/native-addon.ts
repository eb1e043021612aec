import { join } from 'node:path';
import { ownProcess } from './own-process.ts';

/**
 * Loads a native package. The operating system can load native code only from a file, so the single executable extracts
 * its addon into the cache folder once, and checks owner, mode and content of this file before each use.
 * @param load imports the package, if this is not the single executable.
 * @param cacheFolder folder of the cache of ucctl
 * @throws {UnsafePathError} if another user could change the file.
 */
export async function loadNativeAddon<T>(
  name: string,
  load: () => Promise<T>,
  cacheFolder: string,
): Promise<T> {
  const packed = ownProcess.packedFiles();
  if (!packed) return load();
  // Loads node:crypto, which an installed package does not need.
  const { extract } = await import('./extract-addon.ts');
  return ownProcess.loadAddon(extract(packed.read(`native/${name}.node`), join(cacheFolder, 'native'))) as T;
}
