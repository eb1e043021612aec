import { BrokenReplyError, RecordSplitter } from './record-splitter.ts';

/** Query of one message sync: SYNC-1 to SYNC-7. */
export interface SyncRequest {
  readonly syncType: 'FSync' | 'ISync';
  readonly syncToken?: string | undefined;
  readonly messageType?: string | undefined;
  readonly direction?: string | undefined;
  readonly dateFrom?: string | undefined;
  readonly recordCount?: number | undefined;
}

/** Opens one sync: the unread body of its reply. */
export type OpenSync = (extensionId: string, request: SyncRequest) => Promise<AsyncIterable<Uint8Array>>;

export interface SyncInfo {
  readonly syncToken: string;
  /** Until when the reply tells everything; undefined where the service does not say. */
  readonly syncTime: string | undefined;
  readonly olderRecordsExist?: boolean | undefined;
  /** Whose mailbox it is, where its address names the extension. */
  readonly extensionId?: string | undefined;
}

/** Takes a reply as it arrives. */
export interface ReplySink {
  /** Texts of complete records. */
  records(texts: readonly string[]): void;
  /** A record that cannot be taken, with its id where that is known. */
  problem(messageId: string | undefined, problem: string): void;
}

/**
 * Reads one reply to its end, record by record.
 * @returns what it says of itself, and how many bytes it had.
 * @throws {BrokenReplyError} it is cut off, or no sync reply; the token in it must not be used.
 */
export async function readReply(
  body: AsyncIterable<Uint8Array>,
  sink: ReplySink,
): Promise<SyncInfo & { readonly bytes: number }> {
  const splitter = new RecordSplitter();
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    sink.records(splitter.push(chunk));
    for (const { head, bytes: size } of splitter.takeOversize()) {
      sink.problem(/"id"\s*:\s*"?(\d+)/.exec(head)?.[1], `a record of ${size} bytes is too large`);
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
  };
}

/** A member of another type is as good as missing. */
function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
