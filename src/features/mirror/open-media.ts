import { join, resolve } from 'node:path';
import type { Context } from '../../runtime/context.ts';
import type { MediaStore } from '../../store/media-store.ts';
import { usageError } from '../../errors/command.ts';
import { FolderMedia } from './media-folder.ts';

/**
 * Opens the store of attachments: the store of the setting `media-store`, or a default folder. The modules for S3 are
 * loaded only if they are used.
 * @throws {CommandError} `usage` if the setting is invalid.
 */
export async function openMedia(ctx: Context, defaultFolder: string): Promise<MediaStore> {
  const { value, source } = ctx.settings.mediaStore ?? { value: undefined, source: '' };
  if (value === undefined) return new FolderMedia(defaultFolder);
  if (!value.includes('://')) return new FolderMedia(resolve(ctx.cwd, value));
  const { S3Media, s3Settings } = await import('./s3-media.ts');
  try {
    const settings = s3Settings(value, ctx.env);
    const unfinished = join(defaultFolder, 'unfinished');
    return new S3Media(settings, { send: await ctx.http(), unfinished, signal: ctx.signal });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(`${source}: ${error.message}`);
  }
}
