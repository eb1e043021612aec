import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { platform } from 'node:process';
import { resolvePaths } from '../../src/config/paths.ts';
import { isRunFolder } from './run-folder.ts';

/**
 * Compiled code of the built program (src/code-cache.ts) that the processes of a test run share. A process with a new
 * home folder takes twice the processor time without it: it compiles the program and stores the result.
 */
const shared = (): string => join(tmpdir(), 'compiled');

/** Puts the shared code into a cache folder, unless the folder already has code. */
export function lendCompiledCode(cache: string): void {
  const own = join(cache, 'compiled');
  if (isRunFolder() && filesIn(own).length === 0) link(shared(), own);
}

/** Shares the code that a process stored in a cache folder. */
export function takeCompiledCode(cache: string): void {
  if (isRunFolder()) link(join(cache, 'compiled'), shared());
}

/**
 * Provides the shared code to all runs of the program with this environment, unless it names a cache folder of its
 * own, as tests of the cache do. The returned function shares the code that they stored.
 */
export function lendToRuns(env: Readonly<Record<string, string>>): () => void {
  const home = env['HOME'];
  if (home === undefined || !existsSync(home) || env['UCCTL_CACHE_DIR']) return () => undefined;
  const { cache } = resolvePaths({ env, platform, homeDirectory: home });
  lendCompiledCode(cache);
  return () => takeCompiledCode(cache);
}

/** Links all files that are missing or smaller. The program replaces files of its cache, and never changes one. */
function link(from: string, to: string): void {
  for (const file of filesIn(from)) {
    const target = join(to, relative(from, file));
    const part = `${target}.${randomUUID()}`;
    try {
      if (sizeOf(target) >= sizeOf(file)) continue;
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      linkSync(file, part);
      renameSync(part, target);
    } catch (error) {
      // Another worker was faster, the folder was removed, or the home folder is on another file system or read-only.
      if (!/^(EEXIST|ENOENT|EXDEV|EROFS|EACCES|EPERM)$/.test((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
    } finally {
      // Renaming does nothing if another worker has linked the same file.
      rmSync(part, { force: true });
    }
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** The complete files of a cache; those that are being written have other endings. */
function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.bin'))
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}
