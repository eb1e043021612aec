import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { linkTarget } from '../../platform/link-target.ts';
import { requireOwn } from '../../platform/ownership.ts';
import { LockTimeoutError, withProcessLock } from '../../platform/process-lock.ts';
import { holderText, resumeHint } from '../../platform/lock-holder.ts';
import type { Database } from '../../platform/sqlite.ts';
import { openReadOnly } from '../../platform/sqlite/read-only.ts';
import type { MediaStore } from '../../store/media-store.ts';
import type { Archive } from '../../store/archive.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { CommandError, Exit, notFoundError, usageError } from '../../errors/command.ts';
import { type CommandText, ucctl } from '../../errors/hint.ts';
import { archiveIdOf } from './archive-id.ts';
import { SqliteCalls } from './calls/sqlite-calls.ts';
import { copyFailure, storeFailure } from './copy-failure.ts';
import { FolderMedia, mediaFolder } from './media-folder.ts';
import { openMedia } from './open-media.ts';
import { openMirror, requireMirror } from './mirror.ts';
import { SqliteMessages } from './sqlite-store.ts';

/** Milliseconds for which a second run waits for the first. */
const longestWait = 60_000;

/**
 * Returns the database file of this profile, or of `--database`.
 * @throws {UnsafePathError} other users can change the file of the profile or its folder. The user may link both to
 * another disk.
 */
function copyFile(ctx: Context, { database }: CopyOptions): string {
  if (database !== undefined) return resolve(ctx.cwd, database);
  const file = join(ctx.paths.data, 'mailbox', `${encodeURIComponent(ctx.settings.profile.value)}.sqlite`);
  for (const path of [dirname(file), file]) requireOwn(path, { follow: true });
  return file;
}

/**
 * Runs work that changes the copy, in one process at a time: a second process reports the first process and waits for
 * it. A symbolic link to a copy has the lock of the copy.
 * @param beforeCreation runs first if there is no copy yet. No copy is created if it throws, so a command without a
 * session leaves no empty copy.
 * @throws {CommandError} `already_running`, `disk_full`, `foreign_database`.
 */
export async function changeCopy<T>(
  ctx: Context,
  options: CopyOptions,
  work: (archive: Archive) => Promise<T>,
  beforeCreation?: () => Promise<void>,
): Promise<T> {
  if (usesStore(ctx, options)) return workInStore(ctx, work, 'change');
  const file = copyFile(ctx, options);
  const once = (waitMilliseconds: number): Promise<T> =>
    withProcessLock(`${linkTarget(file)}.lock`, { waitMilliseconds, signal: ctx.signal }, async () => {
      if (!existsSync(file)) await beforeCreation?.();
      const db = openMirror(file);
      try {
        const media = await openFileMedia(ctx, file, db);
        const onIndexRepaired = (): void =>
          ctx.out.note('The full-text index differed from the messages, and was written again.');
        return await work(sqliteArchive(db, file, media, onIndexRepaired));
      } finally {
        db.close();
      }
    });
  try {
    return await once(0).catch((error: unknown) => {
      if (!(error instanceof LockTimeoutError)) throw error;
      const next = resumeHint(error.holder) ?? 'waiting for up to a minute';
      ctx.out.note(`another sync is using ${file}${holderText(error.holder)}; ${next}`);
      return once(longestWait);
    });
  } catch (error) {
    if (error instanceof LockTimeoutError) {
      throw new CommandError(
        'already_running',
        Exit.conflict,
        `another sync is using ${file}${holderText(error.holder)}`,
        {
          hint: resumeHint(error.holder) ?? 'retry when that sync has finished',
          retryable: true,
          cause: error,
        },
      );
    }
    throw copyFailure(error, file);
  }
}

/**
 * Whether the archive is the PostgreSQL store of the setting `store`. `--database` selects a file instead.
 * @throws {CommandError} `usage` if both are named on the command line.
 */
export function usesStore(ctx: Context, { database }: CopyOptions): boolean {
  const { storeUrl } = ctx.settings;
  if (storeUrl.value === undefined) return false;
  if (database === undefined) return true;
  if (storeUrl.origin !== 'flag') return false;
  throw usageError('--database and --store select different archives', 'use only one of these options');
}

/** Runs work with the archive in the PostgreSQL store. The modules are loaded only here. */
async function workInStore<T>(
  ctx: Context,
  work: (archive: Archive) => Promise<T>,
  purpose: 'read' | 'change',
): Promise<T> {
  const { openStoreArchive } = await import('./postgres/open.ts');
  const archive = await openStoreArchive(ctx, purpose);
  try {
    return await work(archive);
  } catch (error) {
    throw storeFailure(error);
  }
}

/** Checks that there is a copy of mailboxes. @throws {CommandError} `not_found`, with the command that creates a copy. */
export function requireCopy(ctx: Context, options: CopyOptions): void {
  if (!usesStore(ctx, options)) requireFile(ctx, options, ucctl('sync'));
}

/** Returns the file of an existing copy. @throws {CommandError} `not_found`, with the command that creates a copy. */
function requireFile(ctx: Context, options: CopyOptions, command: CommandText): string {
  const file = copyFile(ctx, options);
  if (!existsSync(file)) throw noCopyError(file, command);
  return file;
}

function noCopyError(file: string, command: CommandText): CommandError {
  return notFoundError(`no local mailbox copy found at ${file}`, command);
}

/** Runs work that only reads the copy, even during a sync. @throws {CommandError} `not_found` if there is no copy. */
export async function readCopy<T>(
  ctx: Context,
  options: CopyOptions,
  work: (archive: Archive) => Promise<T>,
  command = ucctl('sync'),
): Promise<T> {
  if (usesStore(ctx, options)) return workInStore(ctx, work, 'read');
  const file = requireFile(ctx, options, command);
  try {
    const db = openReadOnly(file);
    try {
      // A full disk or a kill can interrupt the first sync before it creates the tables.
      if (requireMirror(db, file) === 0) throw noCopyError(file, command);
      return await work(sqliteArchive(db, file, await openFileMedia(ctx, file, db)));
    } finally {
      db.close();
    }
  } catch (error) {
    throw copyFailure(error, file);
  }
}

/**
 * Opens the places where a file may have its attachments: its folder, and the place of the setting `media-store`, which
 * may have been set later. @throws {DatabaseError} @throws the errors of `openMedia`.
 */
export async function contentsOfFile(ctx: Context, file: string): Promise<readonly MediaStore[]> {
  const db = openReadOnly(file);
  try {
    return [new FolderMedia(mediaFolder(file)), await openFileMedia(ctx, file, db)];
  } finally {
    db.close();
  }
}

/** Opens the attachments of a copy in an SQLite file. @throws the errors of `openMedia`. */
function openFileMedia(ctx: Context, file: string, db: Database): Promise<MediaStore> {
  return openMedia(ctx, { defaultFolder: mediaFolder(file), isShared: false, archiveId: archiveIdOf(db) });
}

/** Returns the archive in an open SQLite file. */
export function sqliteArchive(
  db: Database,
  file: string,
  media: MediaStore = new FolderMedia(mediaFolder(file)),
  onIndexRepaired?: () => void,
): Archive {
  return {
    messages: new SqliteMessages(db, file, onIndexRepaired),
    calls: new SqliteCalls(db),
    media,
  };
}
