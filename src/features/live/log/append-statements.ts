import type { PreparedStatement } from '../../../platform/postgres/statement.ts';

/** A change that the statement that stores new events also makes, such as a report to the workers. */
export interface EventChange {
  /** Short name of the events that cause the change, such as `messages`. */
  readonly event: string;
  /** Common table expressions of SQL. @param lanes a subquery with the extensions of the new events. */
  readonly tables: (lanes: string) => string;
}

/** Statements for the events of all processes, and for the events of the owner, whose last parameter is the fence. */
export interface Insertions {
  readonly open: PreparedStatement;
  readonly fenced: PreparedStatement;
}

/** Waits for the disk whatever the server does by default, and keeps stricter values, such as `remote_apply`. */
const durably = `(select count(set_config('synchronous_commit', 'on', true)) from (select 1) as one
  where current_setting('synchronous_commit') in ('off', 'local')) is not null`;

const given = `unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[], string_to_array($6::text, $7::text))
  as given (receiver, key, lane, origin, encrypted, raw)`;

/** The part of a statement that stores the events, for all processes or only for the owner of the receiver. */
function insertion(isFenced: boolean): string {
  return `insert into event (receiver, key, lane, origin, encrypted, raw)
  select receiver, key, lane, origin, encrypted, raw from ${given} where ${durably}${isFenced ? ' and exists (select from owner)' : ''}
  on conflict (receiver, key) do nothing`;
}

/**
 * The lock delays the next owner until the events are committed, so that no event is stored after another process has
 * become the owner.
 */
const ownerTable = (parameter: string): string =>
  `owner as materialized (select from receiver where name = ($1::text[])[1] and fence = ${parameter}::text::bigint for share)`;
/** A row without a key says that this process is not the owner. */
const notOwner = 'union all select null, null where not exists (select from owner)';

function plainInsertion(isFenced: boolean): PreparedStatement {
  if (!isFenced) return { name: 'append events', text: `${insertion(false)} returning receiver, key` };
  return {
    name: 'append events as owner',
    text: `with ${ownerTable('$8')}, added as (${insertion(true)} returning receiver, key)
    select receiver, key from added ${notOwner}`,
  };
}

function changingInsertion(change: EventChange, isFenced: boolean): PreparedStatement {
  const lanes = 'select lane from added join named using (receiver, key) where is_cause';
  return {
    name: `append events${isFenced ? ' as owner' : ''} and change ${change.event}`,
    text: `with ${isFenced ? `${ownerTable('$9')}, ` : ''}named as materialized (
      select * from unnest($1::text[], $2::text[], $8::boolean[]) as named (receiver, key, is_cause)
    ), added as (${insertion(isFenced)} returning receiver, key, lane), ${change.tables(lanes)}
    select receiver, key from added ${isFenced ? notOwner : ''}`,
  };
}

/** Parameters: receivers, keys, extensions, origins, flags of encryption, texts, and the separator of the texts. */
export const plainInsertions: Insertions = { open: plainInsertion(false), fenced: plainInsertion(true) };

/** After the parameters of `plainInsertions`, these have a flag for each event that causes the change. */
export function changingInsertions(change: EventChange): Insertions {
  return { open: changingInsertion(change, false), fenced: changingInsertion(change, true) };
}
