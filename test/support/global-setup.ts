import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Builds where that is due, and gives the run a folder for temporary files of its own, in which nothing of ours may be left. */
export function setup(): () => void {
  build();
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-suite-'));
  process.env['TMPDIR'] = folder;
  return () => {
    const left = readdirSync(folder).filter((name) => name.startsWith('ucctl-'));
    rmSync(folder, { recursive: true, force: true });
    if (left.length === 0) return;
    // Vitest tells of an error here and ends with 0 all the same.
    process.exitCode = 1;
    throw new Error(`the tests left behind: ${left.join(', ')}`);
  };
}

/** Builds once before the tests when the built program is missing or older than its sources, so that spawned runs test this code. */
function build(): void {
  const built = 'dist/cli/version.txt';
  if (existsSync(built) && statSync(built).mtimeMs >= newest(['src', 'scripts'])) return;
  const node = (...args: readonly string[]): void => {
    execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  };
  node('node_modules/rolldown/bin/cli.mjs', '--config', 'rolldown.config.ts', '--log-level', 'warn');
  node('scripts/run.mjs', 'build-static');
}

/** Writes the declarations of the library where they are missing or older than their sources; `npm run build` writes them too. */
export function buildTypes(): void {
  const built = 'dist/lib/types/client/index.d.ts';
  if (existsSync(built) && statSync(built).mtimeMs >= newest(['src'])) return;
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json']);
}

function newest(directories: readonly string[]): number {
  const times = directories.flatMap((directory) =>
    readdirSync(directory, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );
  return Math.max(...times);
}
