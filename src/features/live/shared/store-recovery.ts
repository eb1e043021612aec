import type { Postgres } from '../../../platform/postgres/postgres.ts';
import type { PostgresEventLog } from '../log/postgres-event-log.ts';
import { comparedAgain, type PositionedEvent } from '../recover/compared-again.ts';
import type { RecoveryStore } from '../recover/recovery.ts';
import type { SyncPoint } from '../store/sync-points.ts';

/** Number of events that are read in one step. */
const batch = 1000;

/** The events and sync points of a receiver in a store. @param fence the fence of the owner, which recovers events. */
export function storeRecovery(
  db: Postgres,
  log: PostgresEventLog,
  receiver: string,
  fence: number,
): RecoveryStore {
  const points = storedPoints(db, receiver);
  return {
    point: (extensionId) => points.point(extensionId),
    savePoint: (extensionId, taken) => points.savePoint(extensionId, taken),
    ...comparedAgain({
      read: (extensionId, after) => eventsAfter(db, receiver, extensionId, after),
      async append({ key, raw, notification }, origin) {
        const [result] = await log.append([{ receiver, key, raw, origin, encrypted: !notification, fence }]);
        return result ?? 'duplicate';
      },
    }),
  };
}

/** The sync points of a receiver in a store. */
export function storedPoints(db: Postgres, receiver: string) {
  return {
    async point(extensionId: string): Promise<SyncPoint | undefined> {
      const [row] = await db.query<SyncPoint>(
        `select token, taken_at as "takenAt", event_id as position, known from receiver_sync_point where receiver = $1 and extension_id = $2`,
        [receiver, extensionId],
      );
      return row;
    },
    /** @param position the newest event; by default of the log in the store. */
    async savePoint(
      extensionId: string,
      { token, takenAt, known }: Omit<SyncPoint, 'position'>,
      position?: number,
    ): Promise<void> {
      await db.run(
        `insert into receiver_sync_point (receiver, extension_id, token, taken_at, event_id, known)
         values ($1, $2, $3, $4, coalesce($6::bigint, (select max(id) from event), 0), $5)
         on conflict (receiver, extension_id) do update set token = excluded.token, taken_at = excluded.taken_at,
           event_id = excluded.event_id, known = excluded.known`,
        [receiver, extensionId, token, takenAt, known, position ?? null],
      );
    },
  };
}

async function* eventsAfter(
  db: Postgres,
  receiver: string,
  lane: string,
  position: number,
): AsyncGenerator<PositionedEvent, void, undefined> {
  for (let last = position; ;) {
    const rows = await db.query<PositionedEvent>(
      'select id as position, raw from event where receiver = $1 and lane = $2 and id > $3 order by id limit $4',
      [receiver, lane, last, batch],
    );
    yield* rows;
    last = rows.at(-1)?.position ?? last;
    if (rows.length < batch) return;
  }
}
