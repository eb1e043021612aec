import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseError } from './database-error.ts';
import { entryAt } from './entry-at.ts';

/** Number of checks, and the wait after each, for the content of a file that another process may be copying. */
const copyChecks = { count: 50, milliseconds: 20 };

/**
 * Creates an empty database of mode 0600, unless a file with this name exists. The database is written in a
 * temporary folder next to the file, and gets its name as a link when it is on disk. A database of ucctl therefore
 * never has 0 bytes (docs/adr/0072-new-databases-by-link.md).
 * @param initialize writes the header of the database to an empty file and closes the file
 * @param link creates a hard link, as `linkSync`
 * @param remove removes the temporary folder; a failure is ignored, because the database is complete
 * @throws the error of the system or of SQLite. No file remains after a failure.
 */
export function createDatabase(
  file: string,
  initialize: (file: string) => void,
  link: (from: string, to: string) => void = linkSync,
  remove: (folder: string) => void = removeFolder,
): void {
  const folder = mkdtempSync(join(dirname(file), '.ucctl-new-'));
  try {
    const unnamed = join(folder, 'database');
    const descriptor = openSync(unnamed, 'wx', 0o600);
    try {
      initialize(unnamed);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    giveName(unnamed, file, link);
  } finally {
    ignoreFailure(() => remove(folder));
  }
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true });
}

function ignoreFailure(work: () => void): void {
  try {
    work();
  } catch {
    // The folder is not used again.
  }
}

/** On file systems without hard links, the file is copied, so other processes can find it empty for a moment. */
function giveName(unnamed: string, file: string, link: (from: string, to: string) => void): void {
  try {
    link(unnamed, file);
  } catch (error) {
    if (isTaken(error)) return;
    copyOnce(unnamed, file);
  }
}

function copyOnce(from: string, to: string): void {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  } catch (error) {
    if (isTaken(error)) return;
    throw error;
  }
  const descriptor = openSync(to, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Whether another process has created a file with the name. */
function isTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST';
}

/**
 * Returns whether a database file is missing, empty or has content. Waits up to a second for the content of an empty
 * file, because another process may be copying it on a file system without hard links.
 */
export function contentOf(file: string): 'missing' | 'empty' | 'present' {
  for (let check = 0; check < copyChecks.count; check += 1) {
    const found = entryAt(file);
    if (found === undefined) return 'missing';
    // Devices and pipes have no size. SQLite reports that they are not databases.
    if (found.size > 0 || !found.isFile()) return 'present';
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, copyChecks.milliseconds);
  }
  return 'empty';
}

/** Whether a database file exists. @throws {DatabaseError} if the file has 0 bytes, because ucctl creates no such file. */
export function requireContent(file: string): boolean {
  const content = contentOf(file);
  if (content === 'empty') throw new DatabaseError(file, 'empty');
  return content === 'present';
}
