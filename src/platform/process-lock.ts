import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { closeLock, openAsLock, type Database } from './sqlite.ts';
import { ownProcess } from './own-process.ts';

export interface LockOptions {
  /** Longest wait for the lock; default 30 s. */
  readonly waitMilliseconds?: number;
  readonly signal?: AbortSignal | undefined;
}

/** The lock was not free in time. `holder` is what is known of who has it. */
export class LockTimeoutError extends Error {
  override readonly name = 'LockTimeoutError';
  readonly holder: { readonly pid: number; readonly since: string } | undefined;

  constructor(file: string, holder: LockTimeoutError['holder']) {
    super(`the lock ${file} was not free in time`);
    this.holder = holder;
  }
}

/**
 * Runs `work` while holding a lock that the operating system keeps: it ends with the process, also by kill -9, and a suspended holder keeps
 * it. `file` is a small database (mode 0600 in a folder of 0700); `work` may keep rows in it, each durable as soon as it is committed.
 * @throws {LockTimeoutError} when the wait ends.
 */
export async function withProcessLock<T>(
  file: string,
  options: LockOptions,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const db = await acquire(file, options);
  const holder = `${file}.holder`;
  try {
    // Only for the message of those who wait; the lock does not depend on it.
    writeFileSync(holder, JSON.stringify({ pid: ownProcess.pid, since: new Date().toISOString() }), {
      mode: 0o600,
    });
    return await work(db);
  } finally {
    rmSync(holder, { force: true });
    closeLock(db);
  }
}

async function acquire(file: string, options: LockOptions): Promise<Database> {
  createOnce(file);
  const deadline = performance.now() + (options.waitMilliseconds ?? 30_000);
  for (;;) {
    options.signal?.throwIfAborted();
    const db = openAsLock(file);
    if (db) return db;
    if (performance.now() > deadline) throw new LockTimeoutError(file, readHolder(file));
    await delay(randomInt(15, 45), undefined, options.signal && { signal: options.signal });
  }
}

/**
 * Gives the mode at creation, so that the file is never open to others for a moment. An existing file must not be opened here: closing it
 * would drop the lock that this process may hold on it (POSIX record locks).
 */
function createOnce(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function readHolder(file: string): LockTimeoutError['holder'] {
  try {
    const value = JSON.parse(readFileSync(`${file}.holder`, 'utf8')) as { pid?: unknown; since?: unknown };
    return typeof value.pid === 'number' && typeof value.since === 'string'
      ? { pid: value.pid, since: value.since }
      : undefined;
  } catch {
    return undefined;
  }
}
