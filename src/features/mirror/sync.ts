import { isRejectedSyncToken } from '../../errors/service-codes.ts';
import type { Stream, SyncScope } from '../../store/mailbox.ts';
import type { SyncStore } from '../../store/message-store.ts';
import type { OnDelete, SyncCounts } from '../../store/reply.ts';
import { fullSync, incrementalSync } from './sync-scope.ts';
import { isFull, NoRoomError } from './no-room.ts';
import { OvertakenError } from './overtaken.ts';
import type { OpenSync, SyncRequest } from './reply.ts';
import { openWholeScope, type ScopeSync } from './whole-scope.ts';

export interface SyncOptions {
  readonly extensionId: string;
  /**
   * Returns the extension of the signed-in user, if the mailbox belongs to this user. It is requested as `~`, which needs
   * no permission for other extensions.
   */
  readonly owner?: (() => Promise<string>) | undefined;
  readonly scope: SyncScope;
  /** The time that `scope.since` currently means, in ISO 8601 format. */
  readonly dateFrom?: string | undefined;
  readonly onDelete: OnDelete;
  /** Whether to run a full sync even if there is a token. */
  readonly full?: boolean | undefined;
  /** Whether replies lack the shared messages of queues, as in dialect `spec`. */
  readonly isPersonal?: boolean | undefined;
  /** The current time in milliseconds since 1970. */
  readonly now: () => number;
}

/** The report of one sync. */
export interface SyncReport extends SyncCounts {
  readonly extensionId: string;
  readonly messageType: string | null;
  readonly direction: string | null;
  readonly syncType: 'FSync' | 'ISync';
  /** Whether the service rejected the token, so that this full sync repaired the copy. */
  readonly repaired: boolean;
  readonly syncTime: string;
  readonly olderRecordsExist: boolean;
  readonly bytes: number;
}

/**
 * Copies the changes of one scope of one mailbox. A reply and its token are stored in one transaction, so an
 * interruption leaves the state before or after the reply. If the service rejects the token, one full sync repairs the
 * copy. If the function throws, nothing of the reply is stored.
 * @throws {BrokenReplyError} the reply is truncated.
 * @throws {NoRoomError} the disk is full.
 */
export async function syncScope(
  store: SyncWriter,
  open: OpenSync,
  options: SyncOptions,
): Promise<SyncReport> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await syncOnce(store, open, options);
    } catch (error) {
      // The next attempt continues after the reply that another process stored, or after the repair of the index.
      if (!(error instanceof OvertakenError) || attempt === mostAttempts) throw error;
    }
  }
}

async function syncOnce(store: SyncWriter, open: OpenSync, options: SyncOptions): Promise<SyncReport> {
  const stream = await store.openStream(options.extensionId, options.scope, options.dateFrom);
  const sync: StreamSync = { store, open, stream, options };
  const full = fullSync(options.scope, stream.dateFrom);
  if (stream.syncToken === undefined || options.full) return copy(sync, full);
  try {
    return await copy(sync, incrementalSync(stream.syncToken));
  } catch (error) {
    if (!isRejectedSyncToken(error)) throw error;
    return copy(sync, full, { repaired: true });
  }
}

/** Maximum number of attempts to store a reply while other processes sync the same mailbox. */
const mostAttempts = 5;

/** The part of a store that a sync needs. */
type SyncWriter = Pick<SyncStore, 'openStream' | 'apply'>;

interface StreamSync {
  readonly store: SyncWriter;
  readonly open: OpenSync;
  readonly stream: Stream;
  readonly options: SyncOptions;
}

async function copy(
  { store, open, stream, options: { onDelete, now, owner, isPersonal } }: StreamSync,
  request: SyncRequest,
  { repaired }: Pick<SyncReport, 'repaired'> = { repaired: false },
): Promise<SyncReport> {
  const { extensionId } = stream;
  const bodies: ReturnType<typeof countBytes>[] = [];
  const openCounted: ScopeSync['open'] = async (next) => {
    const counted = countBytes(await open(owner ? '~' : extensionId, next));
    bodies.push(counted);
    return counted.body;
  };
  const asked = new Date(now()).toISOString();
  try {
    const full = request.syncType === 'FSync';
    const read = await openWholeScope({ extensionId, request, open: openCounted, owner });
    const { counts, info } = await store.apply(stream, { onDelete, full, isPersonal, now: asked }, read);
    return {
      extensionId,
      messageType: stream.messageType ?? null,
      direction: stream.direction ?? null,
      syncType: request.syncType,
      repaired,
      syncTime: info.syncTime ?? asked,
      olderRecordsExist: info.olderRecordsExist ?? false,
      bytes: info.bytes,
      ...counts,
    };
  } catch (error) {
    if (!isFull(error)) {
      for (const body of bodies) await body.stop();
      throw error;
    }
    let bytes = 0;
    for (const body of bodies) bytes += await body.wholeLength();
    throw new NoRoomError(bytes, error);
  }
}

/** Counts the bytes of a body, including those after its reader stopped. */
function countBytes(body: AsyncIterable<Uint8Array>) {
  const chunks = body[Symbol.asyncIterator]();
  let bytes = 0;
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const result = await chunks.next();
    if (!result.done) bytes += result.value.length;
    return result;
  };
  return {
    // The iterator has no `return`, so that a reader that throws leaves the rest of the body to
    // `wholeLength`.
    body: { [Symbol.asyncIterator]: () => ({ next }) },
    async wholeLength(): Promise<number> {
      while (!(await next()).done);
      return bytes;
    },
    /** Releases the connection of the body. */
    async stop(): Promise<void> {
      await chunks.return?.().catch(() => undefined);
    },
  };
}
