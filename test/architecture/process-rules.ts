import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { readImports } from './import-rules.ts';

/** Modules and functions that start a process directly. */
const starters = new Set(['node:child_process', 'playwright-core']);

/**
 * The modules through which a test file starts processes; undefined when it starts none. Modules of src can start
 * processes too; test/support/file-rules.ts detects those at run time.
 */
export function wayToProcesses(file: string, seen = new Set<string>()): readonly string[] | undefined {
  if (seen.has(file) || file.startsWith('src/') || !existsSync(file)) return undefined;
  seen.add(file);
  for (const { target, use } of readImports(file, readFileSync(file, 'utf8'))) {
    if (use === 'types') continue;
    if (starters.has(target)) return [file, target];
    const way = target.startsWith('.')
      ? wayToProcesses(posix.join(posix.dirname(file), target), seen)
      : undefined;
    if (way) return [file, ...way];
  }
  return undefined;
}
