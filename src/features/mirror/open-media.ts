import { join, resolve } from 'node:path';
import type { Context } from '../../runtime/context.ts';
import type { MediaStore } from '../../store/media-store.ts';
import { usageError } from '../../errors/command.ts';
import { ArchiveMedia } from './archive-media.ts';
import { FolderMedia } from './media-folder.ts';
import type { S3Options } from './s3-requests.ts';

/** What decides where an archive stores its attachments. */
export interface MediaPlace {
  /** The folder without the setting `media-store`. */
  readonly defaultFolder: string;
  /** Whether other archives may use the default folder, too. */
  readonly isShared: boolean;
  /** The ID of the archive; undefined if its database has no ID yet. */
  readonly archiveId: string | undefined;
}

/**
 * Opens the store of attachments: the store of the setting `media-store`, or a default folder. The modules for S3 are
 * loaded only if they are used.
 * @throws {CommandError} `usage` if the setting is invalid.
 */
export async function openMedia(ctx: Context, place: MediaPlace): Promise<MediaStore> {
  const { value, source } = ctx.settings.mediaStore;
  const { defaultFolder, isShared, archiveId } = place;
  const local = isShared ? folderMedia(defaultFolder, archiveId) : new FolderMedia(defaultFolder);
  if (value === undefined) return local;
  if (!value.includes('://')) return folderMedia(resolve(ctx.cwd, value), archiveId);
  const [{ S3Media }, { s3Settings }] = await Promise.all([
    import('./s3-media.ts'),
    import('./s3-requests.ts'),
  ]);
  try {
    const settings = s3Settings(value, ctx.env);
    const sleep: S3Options['sleep'] = (milliseconds) => ctx.sleep(milliseconds);
    const options = { send: await ctx.http(), unfinished: local.unfinished, signal: ctx.signal, sleep };
    const whole = new S3Media(settings, {
      ...options,
      unfinished: new FolderMedia(defaultFolder).unfinished,
    });
    if (archiveId === undefined) return whole;
    const prefix = `${settings.prefix}${partOf(archiveId)}/`;
    return new ArchiveMedia(new S3Media({ ...settings, prefix }, options), whole);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(`${source}: ${error.message}`);
  }
}

/** Attachments of an archive in a folder that several archives may use. */
function folderMedia(folder: string, archiveId: string | undefined): MediaStore {
  const whole = new FolderMedia(folder);
  return archiveId === undefined
    ? whole
    : new ArchiveMedia(new FolderMedia(join(folder, partOf(archiveId))), whole);
}

/** The part of a place that only one archive changes. */
function partOf(archiveId: string): string {
  return `archives/${archiveId}`;
}
