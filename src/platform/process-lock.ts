import { randomInt } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DatabaseError,
  databaseProblemAt,
  fileSizeHint,
  isOfDatabase,
  isOfSqlite,
  openFilesHint,
  readOnlyHint,
  stateFolderHint,
  type DatabaseProblem,
} from './database-error.ts';
import type { LockHolder } from './lock-holder.ts';
import { ownProcess } from './own-process.ts';
import { requireNoLink } from './ownership.ts';
import { shellQuoted } from './shell-quoted.ts';
import type { Database } from './sqlite.ts';
import { loadSqlite } from './sqlite/connection.ts';
import { closeLock, createPrivate, openAsLock } from './sqlite/lock.ts';

export interface LockOptions<T = never> {
  /** Maximum wait for the lock in milliseconds. Default: 30 s. */
  readonly waitMilliseconds?: number;
  readonly signal?: AbortSignal | undefined;
  /** Called once with the holder of the lock, if known, after a wait of `reportAfterMilliseconds`. */
  readonly onWait?: ((holder: LockHolder | undefined) => void) | undefined;
  /** Wait in milliseconds after which `onWait` is called. Default: 3 s. */
  readonly reportAfterMilliseconds?: number | undefined;
  /**
   * Called twice a second while another process has the lock. A returned value means that the work is already done, and
   * ends the wait. Without this callback, each waiting process would have to acquire the lock to detect the finished
   * work.
   */
  readonly doneMeanwhile?: (() => Promise<T | undefined>) | undefined;
}

/**
 * Attempts become less frequent during the wait, so that hundreds of waiting processes leave the processor to the
 * process with the lock.
 */
const tryMilliseconds = { least: 15, most: 45 };
const slowest = 6;
const slowerEveryMilliseconds = 500;
const askEveryMilliseconds = 500;
/** Default wait in milliseconds before a message names the process that has a lock. */
export const defaultReportAfterMilliseconds = 3000;

/** The error for a lock that was not released in time. `holder` is the process that has the lock, if known. */
export class LockTimeoutError extends Error {
  override readonly name = 'LockTimeoutError';
  readonly holder: LockHolder | undefined;

  constructor(file: string, holder: LockHolder | undefined) {
    super(`the lock ${file} was not released in time`);
    this.holder = holder;
  }
}

const hints: Partial<Record<DatabaseProblem, (file: string) => string | undefined>> = {
  full: (file) => {
    const other = stateFolderHint(file);
    return `free up space on the disk and run the command again${other === undefined ? '' : `; or ${other}`}`;
  },
  limited: () => fileSizeHint,
  files: () => openFilesHint,
  'read-only': readOnlyHint,
  unreachable: stateFolderHint,
};

/** The error for the file of a lock that is damaged or not writable. */
export class LockFileError extends DatabaseError {
  override readonly name = 'LockFileError';
  override readonly code = 'lock_unusable';
  override readonly hint: string;

  constructor(file: string, cause: unknown) {
    const problem = databaseProblemAt(file, cause) ?? 'unreachable';
    super(file, problem, cause, 'the lock');
    this.hint =
      hints[problem]?.(file) ??
      `check the free disk space and the permissions of the folder; if the file is damaged, stop all ucctl processes and delete the file: rm ${shellQuoted(file)}`;
  }
}

/**
 * Runs `work` under a lock of the operating system. The lock is released when the process ends, even by kill -9; a
 * suspended process does not release the lock. `file` is a small database (mode 0600 in a folder of mode 0700), in
 * which `work` may store rows.
 * @throws {LockTimeoutError} after the maximum wait.
 * @throws {LockFileError} if the file of the lock cannot be used. @throws {UnsafePathError} a file of the lock is a link.
 */
export async function withProcessLock<T>(
  file: string,
  options: LockOptions<T>,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const got = await acquire(file, options);
  if ('done' in got) return got.done;
  const lock = recordHolder(file, got.db);
  try {
    return await work(got.db);
  } finally {
    lock.release();
  }
}

/**
 * Acquires a lock until `release` or the end of the process, without waiting. Undefined if another process has the lock;
 * `holderOf` returns that process.
 * @throws {LockFileError} if the file of the lock cannot be used. @throws {DatabaseError} without SQLite.
 */
export function tryProcessLock(file: string): { release(): void } | undefined {
  const db = tryLock(file);
  return db && recordHolder(file, db);
}

/** Returns the file that names the process with a lock. */
function holderFile(file: string): string {
  return `${file}.holder`;
}

/** Records this process as the holder of a lock, for the messages of waiting processes. */
function recordHolder(file: string, db: Database): { release(): void } {
  const holder = holderFile(file);
  const self = JSON.stringify({ pid: ownProcess.pid, since: new Date().toISOString() });
  ifPossible(() => writeFileSync(holder, self, { mode: 0o600 }));
  return {
    release: () => {
      ifPossible(() => rmSync(holder, { force: true }));
      closeLock(db);
    },
  };
}

/** Ignores errors of the holder file, which only provides messages for waiting processes. */
function ifPossible(work: () => void): void {
  try {
    work();
  } catch {
    // Possible reasons are a full disk and a path that is not a file.
  }
}

async function acquire<T>(
  file: string,
  options: LockOptions<T>,
): Promise<{ readonly db: Database } | { readonly done: T }> {
  const started = performance.now();
  let asked = started;
  let report = options.onWait;
  for (;;) {
    options.signal?.throwIfAborted();
    const db = tryLock(file);
    if (db) return { db };
    const now = performance.now();
    if (now - started > (options.waitMilliseconds ?? 30_000))
      throw new LockTimeoutError(file, holderOf(file));
    if (report && now - started >= (options.reportAfterMilliseconds ?? defaultReportAfterMilliseconds)) {
      report(holderOf(file));
      report = undefined;
    }
    if (options.doneMeanwhile && now - asked >= askEveryMilliseconds) {
      asked = now;
      const done = await options.doneMeanwhile();
      if (done !== undefined) return { done };
    }
    const slower = Math.min(slowest, 1 + (now - started) / slowerEveryMilliseconds);
    const pause = randomInt(tryMilliseconds.least, tryMilliseconds.most) * slower;
    await delay(pause, undefined, options.signal && { signal: options.signal });
  }
}

/**
 * Converts an error under a lock to a LockFileError if it concerns the file or rows of the lock; undefined for any
 * other error.
 */
export function lockFileErrorOf(error: unknown, file: string): LockFileError | undefined {
  if (error instanceof LockFileError) return error;
  const isOurs =
    error instanceof DatabaseError
      ? error.file === file && error.code !== 'sqlite_missing'
      : isOfSqlite(error);
  return isOurs ? new LockFileError(file, error) : undefined;
}

/**
 * Acquires a lock until `closeLock` or the end of the process, without waiting. Undefined if another connection has the
 * lock.
 * @throws {LockFileError} if the file of the lock cannot be used. @throws {UnsafePathError} a file of the lock is a link.
 * @throws {DatabaseError} without SQLite.
 */
export function tryLock(file: string): Database | undefined {
  // Without SQLite, no file is created, and the error does not concern the file.
  loadSqlite(file);
  // The lock of a database of the user (`--database`) may belong to another user.
  requireNoLink(file);
  requireNoLink(holderFile(file));
  try {
    createPrivate(file);
    return openAsLock(file);
  } catch (error) {
    throw isOfDatabase(error) ? new LockFileError(file, error) : error;
  }
}

/** Returns the process that has a lock; undefined if it is unknown. */
export function holderOf(file: string): LockHolder | undefined {
  try {
    const value = JSON.parse(readFileSync(holderFile(file), 'utf8')) as { pid?: unknown; since?: unknown };
    return typeof value.pid === 'number' && typeof value.since === 'string'
      ? { pid: value.pid, since: value.since }
      : undefined;
  } catch {
    return undefined;
  }
}
