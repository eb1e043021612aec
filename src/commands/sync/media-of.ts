import type { Client } from '../../client/index.ts';
import { fetchFile } from '../../features/download/index.ts';
import type { FetchMedia } from '../../features/mirror/index.ts';
import type { Context } from '../../runtime/context.ts';
import { DiskFullError } from '../../errors/command.ts';
import { hintText } from '../../errors/hint.ts';
import { UntrustedHostError } from '../../errors/service.ts';

/** Connections for one large attachment. */
const connections = 4;

/** Downloads attachments as `download` does: resumable, checked, and with the token sent to the service and its media hosts only. */
export function fetchMediaOf(api: Client, ctx: Context): FetchMedia {
  return async ({ uri, contentType, size }, folder, name) => {
    try {
      const { file, bytes, sha256 } = await fetchFile({
        open: (range, ifRange, signal) =>
          api.media.open(uri, { signal, ...(range && { range, ...(ifRange !== undefined && { ifRange }) }) }),
        uri,
        folder,
        name,
        existing: 'continue',
        expectedType: contentType,
        expectedSize: size,
        wantsChecksum: true,
        connections,
        retries: ctx.settings.retry.value,
        signal: ctx.signal,
        sleep: (milliseconds) => ctx.sleep(milliseconds),
      });
      return { file, bytes, sha256 };
    } catch (error) {
      throw explained(error);
    }
  };
}

/** A download error with a hint that fits a sync. */
function explained(error: unknown): unknown {
  if (error instanceof UntrustedHostError) {
    return new Error(`${error.message}; if it belongs to the service: ${hintText(error.remedy)}`, {
      cause: error,
    });
  }
  if (!(error instanceof DiskFullError)) return error;
  return new DiskFullError(error.message, {
    hint: 'free disk space and run the same command again; it resumes the download',
    retryable: true,
    cause: error,
  });
}
