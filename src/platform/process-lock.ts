import { randomInt } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError, isOfSqlite, troubleOf } from './database-error.ts';
import { ownProcess } from './own-process.ts';
import { closeLock, createPrivate, openAsLock, type Database } from './sqlite.ts';

export interface LockOptions<T = never> {
  /** Longest wait for the lock; default 30 s. */
  readonly waitMilliseconds?: number;
  readonly signal?: AbortSignal | undefined;
  /** Told once who has the lock, as far as that is known, when the wait has lasted for `tellMilliseconds`; default 3 s. */
  readonly onWait?: ((holder: LockHolder | undefined) => void) | undefined;
  readonly tellMilliseconds?: number | undefined;
  /**
   * Asked twice a second while another process has the lock: a value means that the work is done already, and ends the wait. Without it, many
   * who wait would have to hold the lock one after the other only to see that.
   */
  readonly doneMeanwhile?: (() => Promise<T | undefined>) | undefined;
}

/** Tries come less often the longer the wait: hundreds of processes must not keep the processor from the one that works. */
const tryMilliseconds = { least: 15, most: 45 };
const slowest = 6;
const slowerEveryMilliseconds = 500;
const askEveryMilliseconds = 500;
const tellMilliseconds = 3000;

/** Who has a lock, and since when (ISO 8601). */
export interface LockHolder {
  readonly pid: number;
  readonly since: string;
}

/** The lock was not free in time. `holder` is what is known of who has it. */
export class LockTimeoutError extends Error {
  override readonly name = 'LockTimeoutError';
  readonly holder: LockHolder | undefined;

  constructor(file: string, holder: LockHolder | undefined) {
    super(`the lock ${file} was not free in time`);
    this.holder = holder;
  }
}

/** The file of a lock cannot be used: it is damaged, or where it is nothing can be written. */
export class LockFileError extends DatabaseError {
  override readonly name = 'LockFileError';
  override readonly code = 'lock_unusable';
  override readonly hint: string;

  constructor(file: string, cause: unknown) {
    super(file, troubleOf(cause) ?? 'unreachable', cause, 'the lock');
    this.hint = `check the free space and the mode of that folder; a damaged file may go while no other ucctl runs: rm '${file}'`;
  }
}

/**
 * Runs `work` while holding a lock that the operating system keeps: it ends with the process, also by kill -9, and a suspended holder keeps
 * it. `file` is a small database (mode 0600 in a folder of 0700); `work` may keep rows in it, each durable as soon as it is committed.
 * @throws {LockTimeoutError} when the wait ends. @throws {LockFileError}
 */
export async function withProcessLock<T>(
  file: string,
  options: LockOptions<T>,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const got = await acquire(file, options);
  if ('done' in got) return got.done;
  const { db } = got;
  const holder = `${file}.holder`;
  try {
    const self = JSON.stringify({ pid: ownProcess.pid, since: new Date().toISOString() });
    ifPossible(() => writeFileSync(holder, self, { mode: 0o600 }));
    return await work(db);
  } finally {
    ifPossible(() => rmSync(holder, { force: true }));
    closeLock(db);
  }
}

/** The note of who holds a lock is for the messages of those who wait; no work fails for it. */
function ifPossible(work: () => void): void {
  try {
    work();
  } catch {
    // The disk is full, or somebody put something else there.
  }
}

async function acquire<T>(
  file: string,
  options: LockOptions<T>,
): Promise<{ readonly db: Database } | { readonly done: T }> {
  const started = performance.now();
  let asked = started;
  let tell = options.onWait;
  for (;;) {
    options.signal?.throwIfAborted();
    const db = tryLock(file);
    if (db) return { db };
    const now = performance.now();
    if (now - started > (options.waitMilliseconds ?? 30_000))
      throw new LockTimeoutError(file, readHolder(file));
    if (tell && now - started >= (options.tellMilliseconds ?? tellMilliseconds)) {
      tell(readHolder(file));
      tell = undefined;
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

/** What failed under a lock, where it was the lock's own file: also its rows, whatever is wrong with them. Undefined for anything else. */
export function lockFileErrorOf(error: unknown, file: string): LockFileError | undefined {
  if (error instanceof LockFileError) return error;
  const isOurs = error instanceof DatabaseError ? error.file === file : isOfSqlite(error);
  return isOurs ? new LockFileError(file, error) : undefined;
}

/**
 * Takes a lock, which is held until it is closed by `closeLock` or the process ends. Undefined when another connection has it; never waits.
 * @throws {LockFileError}
 */
export function tryLock(file: string): Database | undefined {
  try {
    createPrivate(file);
    return openAsLock(file);
  } catch (error) {
    throw new LockFileError(file, error);
  }
}

function readHolder(file: string): LockHolder | undefined {
  try {
    const value = JSON.parse(readFileSync(`${file}.holder`, 'utf8')) as { pid?: unknown; since?: unknown };
    return typeof value.pid === 'number' && typeof value.since === 'string'
      ? { pid: value.pid, since: value.since }
      : undefined;
  } catch {
    return undefined;
  }
}
