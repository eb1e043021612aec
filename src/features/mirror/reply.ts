import type { Chunks } from './read-ahead.ts';
import type { ReplySink, SyncInfo } from '../../store/reply.ts';
import { BrokenReplyError, RecordSplitter } from './record-splitter.ts';

/** Query of one message sync (SYNC-1 to SYNC-7). */
export interface SyncRequest {
  readonly syncType: 'FSync' | 'ISync';
  readonly syncToken?: string | undefined;
  readonly messageType?: string | undefined;
  readonly direction?: string | undefined;
  readonly dateFrom?: string | undefined;
  readonly dateTo?: string | undefined;
  readonly recordCount?: number | undefined;
}

/** Starts one sync and returns the unread body of its reply. */
export type OpenSync = (extensionId: string, request: SyncRequest) => Promise<AsyncIterable<Uint8Array>>;

/**
 * Reads one reply to its end, record by record.
 * @returns the sync info and the length of the reply in bytes.
 * @throws {BrokenReplyError} the reply is truncated or is not a sync reply; its token must not be used.
 */
export async function readReply(
  body: Chunks,
  sink: ReplySink,
): Promise<SyncInfo & { readonly bytes: number }> {
  const splitter = new RecordSplitter();
  let bytes = 0;
  const read = (chunk: Uint8Array): ReturnType<ReplySink['records']> => {
    bytes += chunk.length;
    const stored = sink.records(splitter.push(chunk));
    for (const { head, bytes: size } of splitter.takeOversize()) {
      sink.problem(/"id"\s*:\s*"?(\d+)/.exec(head)?.[1], `a record of ${size} bytes is too large`);
    }
    return stored;
  };
  // Awaits only if there is a promise, so that a synchronous store needs no promise for each chunk.
  if (Symbol.asyncIterator in body) {
    for await (const chunk of body) {
      const stored = read(chunk);
      if (stored) await stored;
    }
  } else {
    for (const chunk of body) {
      const stored = read(chunk);
      if (stored) await stored;
    }
  }
  return { ...syncInfoOf(splitter.end()), bytes };
}

function syncInfoOf(envelope: Readonly<Record<string, unknown>>): SyncInfo {
  const info = envelope['syncInfo'] as Partial<SyncInfo> | null | undefined;
  if (typeof info?.syncToken !== 'string' || info.syncToken === '') {
    throw new BrokenReplyError('the reply has no sync token');
  }
  const time = Date.parse(info.syncTime ?? '');
  return {
    syncToken: info.syncToken,
    syncTime: Number.isNaN(time) ? undefined : new Date(time).toISOString(),
    olderRecordsExist: booleanOf(info.olderRecordsExist),
    extensionId: /\/extension\/(\d+)\//.exec(String(envelope['uri']))?.[1],
    accountId: /\/account\/(\d+)\//.exec(String(envelope['uri']))?.[1],
  };
}

/** Returns a boolean member; a value of another type counts as missing. */
function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
