import type { Client } from '../../client/index.ts';
import { fetchFile } from '../../features/download/index.ts';
import type { FetchMedia } from '../../features/mirror/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { UntrustedHostError } from '../../errors/service.ts';

/** Connections for one large attachment. */
const connections = 4;

/** Reads attachments as `download` does: resumable, never a corrupt one, the token to the service and its media hosts only. */
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
        signal: ctx.signal,
        sleep: (milliseconds) => ctx.sleep(milliseconds),
      });
      return { file, bytes, sha256 };
    } catch (error) {
      throw explained(error);
    }
  };
}

/** What went wrong with an attachment, with what helps in a sync. */
function explained(error: unknown): unknown {
  if (error instanceof UntrustedHostError) {
    return new Error(
      `${error.message}; if it belongs to the service: ucctl config set media-hosts ${error.host}`,
      {
        cause: error,
      },
    );
  }
  if (!(error instanceof CommandError) || error.code !== 'disk_full') return error;
  return new CommandError('disk_full', Exit.local, error.message, {
    hint: 'free that much and run it again; what came is kept, and it goes on there',
    retryable: true,
    cause: error,
  });
}
