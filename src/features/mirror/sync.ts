import type { Database } from '../../platform/sqlite.ts';
import { ApiError } from '../../errors/service.ts';
import { fullSync, incrementalSync, type Frame } from './frame.ts';
import { asyncTransaction } from './mirror.ts';
import { isFull, NoRoomError } from './no-room.ts';
import { readReply, type OpenSync, type SyncRequest } from './reply.ts';
import type { OnDelete } from './gone.ts';
import { ReplyWriter, type SyncCounts } from './reply-writer.ts';
import { openStream, type Stream } from './streams.ts';

export interface SyncOptions {
  readonly extensionId: string;
  /** The mailbox is the signed-in user's: asked for as `~`, which needs no right to others'. */
  readonly own?: boolean | undefined;
  readonly frame: Frame;
  /** What `frame.since` means now; ISO 8601. */
  readonly dateFrom?: string | undefined;
  readonly onDelete: OnDelete;
  /** A full sync although there is a token. */
  readonly full?: boolean | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The signed-in user's mailbox is another than the one that was copied before. Nothing was kept. */
export class OtherMailboxError extends Error {
  override readonly name = 'OtherMailboxError';

  constructor(copied: string, answered: string) {
    super(`this copy holds the mailbox of extension ${copied}, the service answered for ${answered}`);
  }
}

/** What one sync did. */
export interface SyncReport extends SyncCounts {
  readonly extensionId: string;
  readonly messageType: string | null;
  readonly direction: string | null;
  readonly syncType: 'FSync' | 'ISync';
  /** The token was refused, and this full sync repaired the copy. */
  readonly repaired: boolean;
  readonly syncTime: string;
  readonly olderRecordsExist: boolean;
  readonly bytes: number;
}

/**
 * Copies what is new in one frame of one mailbox. Everything of a reply goes in with its token in one transaction: an end at any moment leaves
 * the state before or the state after. A refused token leads to one full sync, which repairs the copy.
 * @throws {BrokenReplyError} the reply is cut off. @throws {NoRoomError} the disk is full. Nothing of the reply was kept then.
 */
export async function syncFrame(db: Database, open: OpenSync, options: SyncOptions): Promise<SyncReport> {
  const stream = openStream(db, options.extensionId, options.frame, options.dateFrom);
  const sync: StreamSync = { db, open, stream, options };
  const full = fullSync(options.frame, stream.dateFrom);
  if (stream.syncToken === undefined || options.full) return copy(sync, full);
  try {
    return await copy(sync, incrementalSync(stream.syncToken));
  } catch (error) {
    if (!isTokenError(error)) throw error;
    return copy(sync, full, { repaired: true });
  }
}

/** The sync of one stream. */
interface StreamSync {
  readonly db: Database;
  readonly open: OpenSync;
  readonly stream: Stream;
  readonly options: SyncOptions;
}

async function copy(
  { db, open, stream, options: { onDelete, now, own } }: StreamSync,
  request: SyncRequest,
  { repaired }: Pick<SyncReport, 'repaired'> = { repaired: false },
): Promise<SyncReport> {
  const body = await open(own ? '~' : stream.extensionId, request);
  const counted = countBytes(body);
  const asked = new Date(now()).toISOString();
  try {
    return await asyncTransaction(db, async () => {
      const writer = new ReplyWriter(db, stream, {
        runId: nextRun(db),
        onDelete,
        full: request.syncType === 'FSync',
        now: asked,
      });
      const info = await readReply(counted.body, writer);
      if (info.extensionId !== undefined && info.extensionId !== stream.extensionId) {
        throw new OtherMailboxError(stream.extensionId, info.extensionId);
      }
      return {
        extensionId: stream.extensionId,
        messageType: stream.messageType ?? null,
        direction: stream.direction ?? null,
        syncType: request.syncType,
        repaired,
        syncTime: info.syncTime ?? asked,
        olderRecordsExist: info.olderRecordsExist ?? false,
        bytes: info.bytes,
        ...writer.finish(info),
      };
    });
  } catch (error) {
    if (!isFull(error)) {
      await counted.stop();
      throw error;
    }
    throw new NoRoomError(await counted.wholeLength(), error);
  }
}

/** The bytes of a body, countable to the end also when its reader gave up. */
function countBytes(body: AsyncIterable<Uint8Array>) {
  const chunks = body[Symbol.asyncIterator]();
  let bytes = 0;
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const result = await chunks.next();
    if (!result.done) bytes += result.value.length;
    return result;
  };
  return {
    // Without `return`, a reader that throws leaves the rest of the body to `wholeLength`.
    body: { [Symbol.asyncIterator]: () => ({ next }) },
    async wholeLength(): Promise<number> {
      while (!(await next()).done);
      return bytes;
    },
    /** Lets the connection go. */
    async stop(): Promise<void> {
      await chunks.return?.().catch(() => undefined);
    },
  };
}

function nextRun(db: Database): number {
  const row = db
    .prepare(
      'SELECT max(coalesce((SELECT max(run_id) FROM run), 0), coalesce((SELECT max(changed_in) FROM message), 0)) AS n',
    )
    .get() as { readonly n: number };
  return row.n + 1;
}

/** Codes differ between services, so the status decides. */
function isTokenError(error: unknown): boolean {
  return error instanceof ApiError && [400, 404, 410].includes(error.status);
}
