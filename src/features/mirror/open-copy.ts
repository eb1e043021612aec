import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LockTimeoutError, withProcessLock } from '../../platform/process-lock.ts';
import { openReadOnly, type Database } from '../../platform/sqlite.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { CommandError, Exit, notFoundError } from '../../errors/command.ts';
import { type CommandText, ucctl } from '../../errors/hint.ts';
import { localTrouble } from './local-trouble.ts';
import { openMirror, requireMirror } from './mirror.ts';

/** How long a second run waits for the first. */
const longestWait = 60_000;

/** Where the copy of this profile lives. */
function copyFile(ctx: Context, { database }: CopyOptions): string {
  if (database !== undefined) return resolve(ctx.cwd, database);
  return join(ctx.paths.data, 'mailbox', `${encodeURIComponent(ctx.settings.profile.value)}.sqlite`);
}

/**
 * Work that changes the copy. One process at a time: a second one says who is before it, and waits.
 * @throws {CommandError} `already_running`, `disk_full`, `foreign_database`.
 */
export async function changeCopy<T>(
  ctx: Context,
  options: CopyOptions,
  work: (db: Database, file: string) => Promise<T>,
): Promise<T> {
  const file = copyFile(ctx, options);
  const once = (waitMilliseconds: number): Promise<T> =>
    withProcessLock(`${file}.lock`, { waitMilliseconds, signal: ctx.signal }, async () => {
      const db = openMirror(file);
      try {
        return await work(db, file);
      } finally {
        db.close();
      }
    });
  try {
    return await once(0).catch((error: unknown) => {
      if (!(error instanceof LockTimeoutError)) throw error;
      ctx.out.note(`another sync is at work on ${file}${holderText(error)}; waiting`);
      return once(longestWait);
    });
  } catch (error) {
    if (error instanceof LockTimeoutError) {
      throw new CommandError(
        'already_running',
        Exit.conflict,
        `another sync is at work on ${file}${holderText(error)}`,
        {
          hint: 'try again when it has ended',
          retryable: true,
          cause: error,
        },
      );
    }
    throw localTrouble(error, file);
  }
}

/** The file of an existing copy. @throws {CommandError} `not_found`, with the command that makes one. */
export function requireCopy(ctx: Context, options: CopyOptions, command = ucctl('sync')): string {
  const file = copyFile(ctx, options);
  if (!existsSync(file)) throw notFoundError(`there is no copy at ${file} yet`, command);
  return file;
}

/** Work that only reads the copy; a sync may run beside it. @throws {CommandError} `not_found` without a copy. */
export async function readCopy<T>(
  ctx: Context,
  options: CopyOptions,
  work: (db: Database, file: string) => Promise<T>,
  command?: CommandText,
): Promise<T> {
  const file = requireCopy(ctx, options, command);
  try {
    const db = openReadOnly(file);
    try {
      requireMirror(db, file);
      return await work(db, file);
    } finally {
      db.close();
    }
  } catch (error) {
    throw localTrouble(error, file);
  }
}

function holderText({ holder }: LockTimeoutError): string {
  return holder ? ` (process ${holder.pid}, since ${holder.since})` : '';
}
