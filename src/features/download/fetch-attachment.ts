import type { Client, RequestOptions } from '../../client/index.ts';
import type { Context } from '../../runtime/context.ts';
import { hintFor } from '../../runtime/hint-for.ts';
import { DiskFullError } from '../../errors/command.ts';
import { UntrustedHostError } from '../../errors/service.ts';
import { requireAddress } from './download-failure.ts';
import { fetchFile } from './fetch-file.ts';
import type { Fetched } from './fetch-options.ts';

/** Number of connections for one large attachment. */
const connections = 4;

/** An attachment as its message describes it. */
interface Attachment {
  readonly uri: string;
  readonly contentType?: string | undefined;
  readonly size?: number | undefined;
}

/** Downloads an attachment into `folder` as `name`. `sha256` is undefined if the complete file already existed. */
type FetchAttachment = (
  attachment: Attachment,
  folder: string,
  name: string,
) => Promise<Pick<Fetched, 'file' | 'bytes' | 'sha256'>>;

/**
 * Downloads attachments as `download` does: resumable, checked, and with the token sent only to the service and its
 * media hosts. Warnings name the address of the attachment, because its file has no readable name.
 */
export function fetchAttachmentOf(
  api: Client,
  ctx: Context,
  {
    signal = ctx.signal,
    onBytes,
    onWait,
  }: {
    readonly signal?: AbortSignal;
    /** Called when bytes arrive. */
    readonly onBytes?: () => void;
    /** Called before each wait of a request. */
    readonly onWait?: RequestOptions['onWait'];
  } = {},
): FetchAttachment {
  return async ({ uri, contentType, size }, folder, name) => {
    let isStored = false;
    try {
      requireAddress(uri);
      const { warnings, ...fetched } = await fetchFile({
        open: (range, ifRange, opened) =>
          api.media.open(uri, {
            signal: opened,
            onWait,
            ...(range && { range, ...(ifRange !== undefined && { ifRange }) }),
          }),
        uri,
        folder,
        name,
        existing: 'continue',
        expectedType: contentType,
        expectedSize: size,
        wantsChecksum: true,
        connections,
        retries: ctx.settings.retry.value,
        signal,
        onBytes,
        onStored: () => {
          isStored = true;
        },
        sleep: (milliseconds) => ctx.sleep(milliseconds),
        elapsed: () => ctx.elapsed(),
      });
      for (const warning of warnings) ctx.out.warn(`attachment ${withoutQuery(uri)}: ${warning}`);
      return fetched;
    } catch (error) {
      throw explained(ctx, error, isStored);
    }
  };
}

/** The query of an address can contain a token. */
function withoutQuery(uri: string): string {
  return uri.replace(/[?#].*$/s, '');
}

/**
 * Replaces the hint of a download error with a hint that fits a sync.
 * @param isStored whether the partial file is stored
 */
function explained(ctx: Pick<Context, 'settings'>, error: unknown, isStored: boolean): unknown {
  if (error instanceof UntrustedHostError) {
    return new Error(`${error.message}; if the host belongs to the service: ${hintFor(ctx, error.remedy)}`, {
      cause: error,
    });
  }
  if (!(error instanceof DiskFullError)) return error;
  return new DiskFullError(error.message, {
    hint: `free up disk space and run the same command again${isStored ? ' to resume the download' : '; no partial file was stored'}`,
    retryable: true,
    cause: error,
  });
}
