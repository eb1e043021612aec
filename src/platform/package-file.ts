import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownProcess } from './own-process.ts';

/**
 * Returns the folder `dist` of the package: the parent folder of the bundle; from the sources, the folder of the last
 * build.
 */
function distFolders(): readonly string[] {
  const here = dirname(fileURLToPath(import.meta.url));
  return [join(here, '..'), join(here, '..', '..', 'dist')];
}

/**
 * Returns a file that the build generated.
 * @param path path below `dist`, such as `schema/resources.json`
 * @returns undefined if the installation does not have this file.
 */
export function readPackageFile(path: string): Uint8Array | undefined {
  const packed = ownProcess.packedFiles();
  const reads = packed
    ? [() => packed.read(`dist/${path}`)]
    : distFolders().map((folder) => () => readFileSync(join(folder, path)));
  for (const read of reads) {
    try {
      return read();
    } catch {
      // The next folder may contain the file.
    }
  }
  return undefined;
}

/** Returns the names of the files in a folder below `dist`; empty if the installation does not have this folder. */
export function namesInPackage(folder: string): readonly string[] {
  const packed = ownProcess.packedFiles();
  if (packed) {
    const start = `dist/${folder}/`;
    return packed
      .paths()
      .filter((path) => path.startsWith(start))
      .map((path) => path.slice(start.length));
  }
  for (const dist of distFolders()) {
    try {
      return readdirSync(join(dist, folder));
    } catch {
      // The next folder may contain the files.
    }
  }
  return [];
}

/** Returns the arguments with which `ownProcess.executable` runs a script of the bundle, such as `keychain-child`. */
export function scriptArguments(script: string): readonly string[] {
  if (ownProcess.packedFiles()) return ['__script', script];
  const here = dirname(fileURLToPath(import.meta.url));
  // If ucctl runs from its sources, this is the script of the last build.
  const inSources = here.endsWith(join('src', 'platform'));
  return [join(here, ...(inSources ? ['..', '..', 'dist', 'cli'] : []), `${script}.cjs`)];
}
