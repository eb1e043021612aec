import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Builds once before the tests when the built program is missing or older than its sources, so that spawned runs test this code. */
export function setup(): void {
  const built = 'dist/cli/version.txt';
  if (existsSync(built) && statSync(built).mtimeMs >= newest(['src', 'scripts'])) return;
  const node = (...args: readonly string[]): void => {
    execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  };
  node('node_modules/rolldown/bin/cli.mjs', '--config', 'rolldown.config.ts', '--log-level', 'warn');
  node('scripts/run.mjs', 'build-static');
}

function newest(directories: readonly string[]): number {
  const times = directories.flatMap((directory) =>
    readdirSync(directory, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );
  return Math.max(...times);
}
