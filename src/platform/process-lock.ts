import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { closeLock, openAsLock, type Database } from './sqlite.ts';
import { ownProcess } from './own-process.ts';

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
export class LockFileError extends Error {
  override readonly name = 'LockFileError';
  readonly file: string;
  /** Of the cause, by which it is told from a fault of ours. */
  readonly code: string | undefined;
  readonly syscall = 'open';

  constructor(file: string, cause: Error) {
    super(`the lock ${file} cannot be used: ${cause.message}`, { cause });
    this.file = file;
    this.code = (cause as NodeJS.ErrnoException).code;
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
  usable(file, () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    createOnce(file);
  });
  const started = performance.now();
  let asked = started;
  let tell = options.onWait;
  for (;;) {
    options.signal?.throwIfAborted();
    const db = usable(file, () => openAsLock(file));
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

function usable<T>(file: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw error instanceof Error ? new LockFileError(file, error) : error;
  }
}

/**
 * Makes an empty file of mode 0600 for a lock. Gives the mode at creation, so that the file is never open to others for a moment. An existing file must not be opened here: closing it
 * would drop the lock that this process may hold on it (POSIX record locks).
 */
export function createOnce(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
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
