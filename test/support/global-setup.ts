import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfDue } from '../../scripts/build-if-due.mjs';
import { PostgresStarter } from './postgres-starter.ts';
import { stripSources } from './stripped-source.ts';

/** A file system in memory, which Linux provides. */
const memory = '/dev/shm';
/** Bytes that must be free there: more than the largest tests write at the same time. */
const leastFree = 4 * 1024 ** 3;

/**
 * Creates the folder of the run in memory if possible, because the program waits for the disk after each change, and tests make
 * thousands of them. No test simulates a power failure, so no test depends on the data on a disk.
 */
function createRunFolder(): string {
  const prefix = 'ucctl-suite-';
  let folder: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < leastFree) return mkdtempSync(join(tmpdir(), prefix));
    folder = mkdtempSync(join(memory, prefix));
    // Containers often mount it so that no program in it can be started, as tests of the packed program do.
    const program = join(folder, 'program');
    writeFileSync(program, '', { mode: 0o700 });
    accessSync(program, constants.X_OK);
    rmSync(program);
    return folder;
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    return mkdtempSync(join(tmpdir(), prefix));
  }
}

/**
 * Builds when needed, gives the run its own folder for temporary files, in which the program must leave none, and starts
 * PostgreSQL when a test asks for it. The processes of the tests inherit the umask, which is the default of most systems.
 */
export function setup(): () => Promise<void> {
  process.umask(0o022);
  buildIfDue();
  stripSources();
  const folder = createRunFolder();
  process.env['TMPDIR'] = folder;
  // A run that is interrupted does not reach the function below.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const postgres = new PostgresStarter(folder);
  return async () => {
    await postgres.stop();
    const left = readdirSync(folder).filter((name) => name.startsWith('ucctl-'));
    rmSync(folder, { recursive: true, force: true });
    if (left.length === 0) return;
    // Vitest prints an error thrown here, but exits with 0.
    process.exitCode = 1;
    throw new Error(`the tests left behind: ${left.join(', ')}`);
  };
}
