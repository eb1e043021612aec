import type { SyncReply } from '../../../contract/message-store.ts';
import { isRejectedSyncToken } from '../../../errors/service-codes.ts';
import { OlderRecords, type SyncPart } from '../../../runtime/older-records.ts';
import type { SyncPoint } from '../store/sync-points.ts';

/** Period in milliseconds before the previous sync whose changes a sync repeats (SYNC-14), with a margin. */
export const overlapMilliseconds = 6000;

/** Query of one sync. */
export interface SyncQuery {
  readonly syncType: 'FSync' | 'ISync';
  readonly syncToken?: string;
  readonly dateFrom?: string;
  readonly dateTo?: string;
  readonly recordCount?: number;
}

type Sync = (query: SyncQuery) => Promise<SyncReply>;

/** Returns the messages since a sync point. If its token is no longer valid, a full sync reads the messages. */
export async function syncSince(sync: Sync, { token, takenAt }: SyncPoint): Promise<SyncReply> {
  try {
    return await sync({ syncType: 'ISync', syncToken: token });
  } catch (error) {
    if (!isRejectedSyncToken(error)) throw error;
    const dateFrom = new Date(takenAt - overlapMilliseconds).toISOString();
    return syncWhole(sync, { syncType: 'FSync', dateFrom });
  }
}

/** Performs a full sync, whose first reply may contain only the newest messages. Returns the token of this reply. */
async function syncWhole(sync: Sync, query: SyncQuery): Promise<SyncReply> {
  const older = new OlderRecords(query);
  const first = await sync(query);
  const records = new Map(first.records.map((one) => [String(one.id), one]));
  for (let next = older.next(partOf(first)); next !== undefined;) {
    const reply = await sync(next);
    for (const one of reply.records) records.set(String(one.id), one);
    next = older.next(partOf(reply));
  }
  return { ...first, records: [...records.values()] };
}

function partOf({ records, syncInfo }: SyncReply): SyncPart {
  const times = records.map(({ creationTime }) => Date.parse(creationTime ?? ''));
  return {
    info: syncInfo,
    received: records.length,
    oldest: Math.min(...times.filter((time) => !Number.isNaN(time))),
  };
}
