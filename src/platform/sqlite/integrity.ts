import { openSync, readSync } from 'node:fs';
import { DatabaseError } from '../database-error.ts';
import type { Database } from './connection.ts';

/** Number of bytes that are read at once. */
const blockBytes = 1024 * 1024;

/**
 * Returns the problems that the integrity check of SQLite finds in a database, at most `limit`.
 * @throws {DatabaseError} if the disk cannot read the file, because SQLite then also reports damage
 */
export function integrityProblems(db: Database, file: string, limit: number): readonly string[] {
  const rows = db.prepare(`PRAGMA integrity_check(${limit})`).all() as { readonly integrity_check: string }[];
  const problems = rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
  if (problems.length > 0 && isUnreadable(file)) throw new DatabaseError(file, 'broken');
  return problems;
}

/** Whether the disk cannot read all bytes of a database, including its log. */
export function isUnreadable(file: string): boolean {
  return failsToRead(file) || failsToRead(`${file}-wal`);
}

/**
 * Whether the disk cannot read all bytes of a file. The file stays open until the process ends: closing it would release
 * the locks of all connections of this process (POSIX record locks).
 */
function failsToRead(file: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return false;
  }
  try {
    const block = Buffer.alloc(blockBytes);
    while (readSync(descriptor, block) > 0);
    return false;
  } catch {
    return true;
  }
}
