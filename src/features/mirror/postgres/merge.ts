import type { OnDelete, SyncCounts } from '../../../store/reply.ts';
import type { RemovedCounts } from '../gone.ts';
import { isShared } from '../record.ts';
import type { Queries } from '../../../platform/postgres/postgres.ts';

/** Columns of a message whose values come from its record. */
export const values = [
  'type',
  'direction',
  'availability',
  'read_status',
  'message_status',
  'creation_time',
  'last_modified_time',
  'conversation_id',
  'from_number',
  'from_extension',
  'from_name',
  'to_numbers',
  'to_names',
  'subject',
  'media_wanted',
  'attachments',
  'created_key',
  'words',
  'raw',
];

/** Adds the content of deleted rows to the garbage list, after all of these rows are deleted (`deleteGarbage`). */
const garbageSql =
  'insert into media_garbage select distinct sha256 from without_media order by sha256 on conflict do nothing';

/** SQL expression that is true if a legal hold retains the message. */
const onHold = 'is_held(message.extension_id, message.from_number, message.to_numbers)';

/**
 * Determines and makes the changes for all staged records in one statement. Of two records with the same ID, the newer
 * record is used. Parameters: 1 mailbox, 2 whether deleted messages are removed, 3 whether the content of purged
 * messages is dropped, 4 whether the reply is a full sync.
 */
const mergeSql = `
with record as (
  select distinct on (message_id) * from stage_message
  order by message_id, case kind when 'message' then last_modified_time end desc nulls first, ord desc
), decided as (
  select record.*, message.pk as known, message.raw as known_raw, policy.removes, policy.empties, case
    when record.kind = 'tombstone' or (record.kind = 'message' and record.availability <> 'Alive' and policy.removes) then case
      when message.pk is null or (message.availability = record.availability and not policy.removes) then 'none'
      else 'gone' end
    when record.kind = 'erased' then case when message.pk is null or ${onHold} then 'none' else 'erase' end
    when message.pk is null then 'add'
    when message.missing_since is not null or message.availability <> record.availability then 'change'
    when message.raw = record.raw then 'same'
    when $4 or not coalesce(record.last_modified_time < message.last_modified_time, false) then 'change'
    else 'same' end as action
  from record left join message on message.extension_id = $1 and message.message_id = record.message_id
    cross join lateral (select $2 and not ${onHold} as removes, $3 and not ${onHold} as empties) as policy
), versions as (
  insert into message_version (message_pk, extension_id, message_id, last_modified_time, raw)
  select message.pk, message.extension_id, message.message_id, message.last_modified_time, message.raw
  from message join decided on decided.known = message.pk where action = 'change' and message.raw <> decided.raw
), added as (
  insert into message (extension_id, message_id, ${values.join(', ')})
  select $1, message_id, ${values.join(', ')} from decided where action = 'add' order by created_key
), changed as (
  update message set missing_since = null, changed_in = pg_current_xact_id(), ${values.map((name) => `${name} = decided.${name}`).join(', ')}
  from decided where message.pk = decided.known and action = 'change'
), emptied as (
  select known as pk, decided.availability from decided where action = 'gone' and not removes and empties and decided.availability = 'Purged'
), marked as (
  update message set availability = decided.availability, changed_in = pg_current_xact_id(),
    subject = case when is_dropped then null else subject end, media_wanted = case when is_dropped then 0 else message.media_wanted end,
    attachments = case when is_dropped then null else message.attachments end,
    words = case when is_dropped then ts_filter(message.words, '{b,c,d}') else message.words end,
    raw = case when is_dropped then format('{"id":"%s","availability":%s}', message.message_id, to_json(decided.availability)) else message.raw end
  from (select decided.known, decided.availability, decided.empties and decided.availability = 'Purged' as is_dropped from decided where action = 'gone' and not removes) as decided
  where message.pk = decided.known
), removed as (
  select known as pk from decided where action = 'erase' or (action = 'gone' and removes)
), dropped as (
  select pk from removed union all select pk from emptied
), without_media as (
  delete from media where message_pk in (select pk from dropped) returning sha256
), garbage as (
  ${garbageSql}
), without_versions as (
  delete from message_version where message_pk in (select pk from dropped)
), without_messages as (
  delete from message where pk in (select pk from removed)
), changes as (
  insert into message_change (extension_id, message_id, change)
  select $1, message_id, case action when 'add' then 'added' when 'change' then 'changed' when 'erase' then 'erased'
    else case decided.availability when 'Purged' then 'purged' else 'deleted' end end
  from decided where action not in ('none', 'same') order by ord
)
select count(*) filter (where action = 'add')::int as added, count(*) filter (where action = 'change')::int as changed,
  count(*) filter (where action = 'same')::int as unchanged,
  count(*) filter (where action = 'gone' and availability = 'Purged')::int as purged,
  count(*) filter (where action = 'gone' and availability <> 'Purged')::int as deleted,
  min(created_key) filter (where action in ('add', 'change', 'same')) as oldest from decided`;

/** Counts of one merge, and the key of the oldest message of the reply. */
export type MergeCounts = Pick<SyncCounts, 'added' | 'changed' | 'unchanged' | 'purged' | 'deleted'> & {
  readonly oldest: number | null;
};

/**
 * Merges the staged records into the messages of a mailbox, within the transaction of the caller. @throws {StoreError}
 */
export async function mergeStage(
  transaction: Queries,
  extensionId: string,
  { onDelete, full }: { readonly onDelete: OnDelete; readonly full: boolean },
): Promise<MergeCounts> {
  const parameters = [extensionId, onDelete === 'purge', onDelete === 'mark', full];
  const [counts] = await transaction.query<MergeCounts>(mergeSql, parameters);
  if (!counts) throw new Error('the merge returned no counts');
  return counts;
}

/** Removes messages with their versions and attachments. `condition` is an SQL condition on `message`. */
export function removeSql(condition: string, change: string): string {
  return `with gone as (select pk, extension_id, message_id from message where ${condition}
  ), without_media as (delete from media where message_pk in (select pk from gone) returning sha256
  ), garbage as (${garbageSql}
  ), without_versions as (delete from message_version where message_pk in (select pk from gone)
  ), changes as (insert into message_change (extension_id, message_id, change) select extension_id, message_id, '${change}' from gone
  ) delete from message where pk in (select pk from gone)`;
}

/** A scope whose messages a full sync did not return. */
export interface VanishedScope {
  readonly extensionId: string;
  /** Messages with a lower key are not part of the reply. */
  readonly oldest: number;
  readonly type: string | null;
  readonly direction: string | null;
  /** IDs of records of the reply that cannot be read. The service still has these messages. */
  readonly unreadable: readonly string[];
  /** Whether the reply lacks the shared messages of queues. */
  readonly isPersonal: boolean;
}

const vanishedCondition = `extension_id = $1 and created_key >= $2 and availability = 'Alive' and missing_since is null
  and ($3::text is null or type = $3) and ($4::text is null or direction = $4)
  and not exists (select 1 from stage_message where stage_message.message_id = message.message_id)
  and message_id <> all($5::text[])`;

/** Handles the messages that a full sync did not return. @returns their number. @throws {StoreError} */
export async function handleVanished(
  transaction: Queries,
  { extensionId, oldest, type, direction, unreadable, isPersonal }: VanishedScope,
  { onDelete, now }: { readonly onDelete: OnDelete; readonly now: string },
): Promise<number> {
  const unlisted = [extensionId, oldest, type, direction];
  const shared = isPersonal ? await sharedIn(transaction, extensionId, [...unlisted, unreadable]) : [];
  const scope = [...unlisted, [...unreadable, ...shared]];
  let removed = 0;
  if (onDelete === 'purge') {
    const condition = `${vanishedCondition} and not ${onHold}`;
    removed = await transaction.run(removeSql(condition, 'vanished'), scope);
  }
  // Messages under a legal hold are marked instead of removed.
  const marked = await transaction.run(
    `with gone as (update message set missing_since = $6, changed_in = pg_current_xact_id() where ${vanishedCondition}
      returning extension_id, message_id)
     insert into message_change (extension_id, message_id, change) select extension_id, message_id, 'vanished' from gone`,
    [...scope, now],
  );
  return removed + marked;
}

/** Returns the IDs of the messages among the vanished ones that belong to queues. */
async function sharedIn(
  transaction: Queries,
  extensionId: string,
  scope: Parameters<Queries['query']>[1],
): Promise<readonly string[]> {
  const rows = await transaction.query<{ readonly id: string; readonly raw: string }>(
    `select message_id as id, raw from message where ${vanishedCondition}`,
    scope,
  );
  return rows.filter(({ raw }) => isShared(raw, extensionId)).map(({ id }) => id);
}

/** SQL condition that is true for marked messages, which the policy `purge` removes. */
export const removableCondition = `(availability <> 'Alive' or missing_since is not null) and not ${onHold}`;

/** Removes messages that an earlier run with another policy only marked. @throws {StoreError} */
export async function removeMarked(transaction: Queries, extensionId: string): Promise<RemovedCounts> {
  const condition = `${removableCondition} and extension_id = $1`;
  const [counts] = await transaction.query<RemovedCounts>(
    `select count(*) filter (where availability not in ('Alive', 'Purged')) as deleted,
      count(*) filter (where availability = 'Purged') as purged, count(*) filter (where availability = 'Alive') as vanished
     from message where ${condition}`,
    [extensionId],
  );
  if (!counts || counts.deleted + counts.purged + counts.vanished === 0) return noneRemoved;
  await transaction.run(removeSql(condition, 'removed'), [extensionId]);
  return counts;
}

/** The counts of a run that removes no marked messages. */
export const noneRemoved: RemovedCounts = { deleted: 0, purged: 0, vanished: 0 };

/** Removes every message from or to a number. @throws {StoreError} */
export async function removeNumber(transaction: Queries, number: string): Promise<number> {
  await transaction.run(
    `delete from sync_error using message where message.extension_id = sync_error.extension_id
      and message.message_id = sync_error.message_id and ${involved}`,
    [number],
  );
  return transaction.run(removeSql(involved, 'erased'), [number]);
}

/** SQL condition that is true if a number is the sender or a recipient. */
export const involved = `(from_number = $1 or position(' ' || $1 || ' ' in ' ' || to_numbers || ' ') > 0)`;
