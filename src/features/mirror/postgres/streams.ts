import type { Queries } from '../../../platform/postgres/postgres.ts';
import type { Mailbox, Stream, StreamStatus, SyncScope } from '../../../store/mailbox.ts';
import { unknownOwner } from '../other-mailbox.ts';
import { retentionStart, scopeKey } from '../sync-scope.ts';

/**
 * A stream, and the number of its last change. A reply is stored only if no other process has stored a reply in the
 * meantime.
 */
export interface VersionedStream extends Stream {
  readonly version: number;
}

const streamColumns = `stream_id as "streamId", extension_id as "extensionId", message_type as "messageType", direction,
  date_from as "dateFrom", max_records as "maxRecords", sync_token as "syncToken", sync_time as "syncTime",
  full_sync_time as "fullSyncTime", coalesce(older_records, false) as "olderRecords", version`;

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

function toStream(row: Nullable<VersionedStream>): VersionedStream {
  const entries = Object.entries(row).map(([name, value]) => [name, value ?? undefined]);
  return Object.fromEntries(entries);
}

/** What happens to a mailbox that the store knows as `known`. A missing number or name replaces nothing. */
export const knownMailbox = `on conflict (extension_id) do update set
    extension_number = coalesce(excluded.extension_number, known.extension_number),
    name = coalesce(excluded.name, known.name), own = known.own or excluded.own
  where (known.extension_number, known.name, known.own) is distinct from
    (coalesce(excluded.extension_number, known.extension_number), coalesce(excluded.name, known.name), known.own or excluded.own)`;

/** Records mailboxes. They are ordered, so that two machines cannot wait for each other. @throws {StoreError} */
export async function saveMailboxes(db: Queries, mailboxes: readonly Mailbox[]): Promise<void> {
  await db.run(
    `insert into mailbox as known (extension_id, extension_number, name, own)
     select distinct on (id) * from unnest($1::text[], $2::text[], $3::text[], $4::boolean[]) as given (id, number, name, own)
     order by id ${knownMailbox}`,
    [
      mailboxes.map(({ extensionId }) => extensionId),
      mailboxes.map(({ extensionNumber }) => extensionNumber ?? null),
      mailboxes.map(({ name }) => name ?? null),
      mailboxes.map(({ own }) => String(own)),
    ],
  );
}

/** Returns the mailbox of the signed-in user. @throws {StoreError} */
export async function ownMailbox(db: Queries): Promise<Mailbox | undefined> {
  const [row] = await db.query<{ id: string; number: string | null; name: string | null }>(
    `select extension_id as id, extension_number as number, name from mailbox
     where own and extension_id <> '${unknownOwner}' order by extension_id limit 2`,
  );
  if (!row) return undefined;
  return {
    extensionId: row.id,
    extensionNumber: row.number ?? undefined,
    name: row.name ?? undefined,
    own: true,
  };
}

/** Returns the stream of a scope, which the first sync creates. @throws {StoreError} */
export async function openStream(
  db: Queries,
  extensionId: string,
  scope: SyncScope,
  dateFrom = retentionStart,
): Promise<VersionedStream> {
  const key = scopeKey(scope);
  const find = async (): Promise<VersionedStream | undefined> => {
    const sql = `select ${streamColumns} from stream where extension_id = $1 and scope_key = $2`;
    const [row] = await db.query<Nullable<VersionedStream>>(sql, [extensionId, key]);
    return row && toStream(row);
  };
  const known = await find();
  if (known) return known;
  const { messageType = null, direction = null, maxRecords = null } = scope;
  await db.run(
    `insert into stream (extension_id, scope_key, message_type, direction, date_from, max_records) values ($1, $2, $3, $4, $5, $6)
     on conflict (extension_id, scope_key) do nothing`,
    [extensionId, key, messageType, direction, dateFrom, maxRecords],
  );
  return (await find()) as VersionedStream;
}

/** Returns all streams, ordered by mailbox. @throws {StoreError} */
export async function allStreams(db: Queries): Promise<readonly VersionedStream[]> {
  const rows = await db.query<Nullable<VersionedStream>>(
    `select ${streamColumns} from stream order by extension_id, stream_id`,
  );
  return rows.map(toStream);
}

/**
 * Returns all sync scopes with their message counts and the time since the last sync, without those of `unknownOwner`,
 * which no sync updates. @throws {StoreError}
 */
export async function mirrorStatus(db: Queries, now: number): Promise<readonly StreamStatus[]> {
  const rows = await db.query<Omit<StreamStatus, 'lagSeconds'>>(
    `with counted as (
       select extension_id, type, direction, count(*) as messages,
         count(*) filter (where availability <> 'Alive' or missing_since is not null) as gone from message group by 1, 2, 3
     )
     select coalesce(mailbox.extension_number, mailbox.name, stream.extension_id) as mailbox, stream.extension_id as "extensionId",
       message_type as type, stream.direction, date_from as "dateFrom", sync_time as "syncTime", full_sync_time as "fullSyncTime",
       coalesce((select sum(messages - gone) from counted where counted.extension_id = stream.extension_id
         and (message_type is null or type = message_type)
         and (stream.direction is null or counted.direction = stream.direction)), 0)::bigint as messages,
       coalesce((select sum(gone) from counted where counted.extension_id = stream.extension_id
         and (message_type is null or type = message_type)
         and (stream.direction is null or counted.direction = stream.direction)), 0)::bigint as deleted,
       (select count(*) from sync_error where sync_error.stream_id = stream.stream_id) as errors
     from stream left join mailbox using (extension_id) where stream.extension_id <> '${unknownOwner}'
     order by stream.extension_id, stream_id`,
  );
  return rows.map((row) =>
    Object.assign(row, {
      lagSeconds:
        row.syncTime === null ? null : Math.max(0, Math.round((now - Date.parse(row.syncTime)) / 1000)),
    }),
  );
}
