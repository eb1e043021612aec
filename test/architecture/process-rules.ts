import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { readImports } from './import-rules.ts';

/** What starts a process by itself. */
const starters = new Set(['node:child_process', 'playwright-core']);

/**
 * The names of the modules through which a test file comes to start processes; undefined when it starts none. Modules of src start some,
 * too, when they are asked to: test/support/inner.ts finds those as they start.
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
