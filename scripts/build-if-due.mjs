// Builds the program when it is missing or older than its sources, so that the current sources run. Used by `npm run
// demo`, the benchmarks, the proofs and the tests; `npm run build` always builds, including the types of the library.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
// The last file that a build writes.
const stamp = join(root, 'dist/cli/build.txt');

/** Builds when a source is newer than the build; prints output only when the build fails. */
export function buildIfDue() {
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= newest(['src', 'scripts', 'console'])) return;
  run('node_modules/rolldown/bin/cli.mjs', '--config', 'rolldown.config.ts', '--log-level', 'warn');
  run('scripts/run.mjs', 'build-static');
}

/** Writes the declarations of the library where they are missing or older than their sources. */
export function buildTypesIfDue() {
  const built = join(root, 'dist/lib/types/client/index.d.ts');
  if (existsSync(built) && statSync(built).mtimeMs >= newest(['src'])) return;
  // Several checkers would check the same types again; one takes half of the processor time.
  run('node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json', '--checkers', '1');
  run('scripts/prune-types.mjs');
}

function run(...args) {
  execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

function newest(folders) {
  const times = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );
  const settings = ['rolldown.config.ts', 'package-lock.json'].map(
    (file) => statSync(join(root, file)).mtimeMs,
  );
  return Math.max(...times, ...settings);
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (!existsSync(stamp)) process.stderr.write('building ucctl ...\n');
  buildIfDue();
}
