import type { Transaction } from '../../../platform/postgres/postgres.ts';
import type { CallStream } from '../../../store/call-store.ts';
import { rowOfStream, streamOfRow, type StreamRow } from '../calls/stream-row.ts';
import { stateOfExclusions } from './exclusions.ts';

/**
 * Selects the IDs ($2) that the archive has. The limit makes the server look up each ID in the index. Without it, the server reads
 * the whole table as long as the table has no statistics, which is for most of the first sync.
 */
const knownSql = `select given.id from unnest($2::text[]) as given (id)
  cross join lateral (select from call_record where scope = $1 and record_id = given.id limit 1) as known`;

/**
 * Selects the stored IDs of a page as an array. If the archive has no call between the first ($3) and the last time of
 * the page ($4), of any scope, it does not look up the IDs. The order makes the server use an index, also without statistics.
 */
export const knownOfPageSql = `select case
    when (select start_time from call_record where start_time >= $3 order by start_time limit 1) <= $4
    then array(${knownSql}) else array[]::text[] end`;

/**
 * A page that is not the last of its list does not wait for the disk of the server: it has its position in the same
 * transaction, and the durable commit of the last page includes it. After a crash of the server, the position shows
 * which pages it lost. A page that does not change the position therefore waits.
 */
export function waitOf(stream: CallStream, isSame: boolean): string {
  return stream.pending === undefined || isSame ? '' : '; set local synchronous_commit = off';
}

/** The row of a position, with the token. */
export type StoredPosition = StreamRow & { readonly sync_token: string | null };

/** Returns the position that a row contains. */
export function streamOf(row: StoredPosition): CallStream {
  return streamOfRow(row, row.sync_token ?? undefined);
}

function rowOf(stream: CallStream): StoredPosition {
  return { ...rowOfStream(stream), sync_token: stream.syncToken ?? null };
}

/** Whether two positions have the same row. Undefined if the scope has no row. */
export function isSamePosition(one: CallStream | undefined, other: CallStream | undefined): boolean {
  const textOf = (stream: CallStream | undefined): string | undefined =>
    stream && JSON.stringify(rowOf(stream));
  return textOf(one) === textOf(other);
}

/** The position after a page of calls. */
interface PagePosition {
  readonly scope: string;
  readonly stream: CallStream;
  readonly ids: readonly string[];
  /** Times between which the archive is searched for the IDs. */
  readonly times: Times;
}

/** First and last start time of calls in ISO 8601. */
export interface Times {
  readonly first: string;
  readonly last: string;
}

/** Before and after all times. */
export const allTimes: Times = { first: '', last: '~' };

/** What the archive has before a page is stored. */
interface BeforePage {
  /** The position before this page. Undefined if the scope has none. */
  readonly before: CallStream | undefined;
  /** The state of the exclusions. */
  readonly state: string;
  /** IDs of the page that the archive has. */
  readonly known: ReadonlySet<string>;
}

/**
 * Stores the position, and returns what the archive had before. One statement replaces four, because each of them would
 * wait for the network.
 */
export async function savePosition(
  session: Transaction,
  { scope, stream, ids, times }: PagePosition,
): Promise<BeforePage> {
  const values = rowOf(stream);
  const names = Object.keys(values);
  const [row] = await session.query<{
    before: StoredPosition | null;
    state: string;
    known: readonly string[];
  }>(
    `with saved as (
       insert into call_stream (scope, ${names.join(', ')}) values ($1, ${names.map((_, index) => `$${index + 5}`).join(', ')})
       on conflict (scope) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
     ) select (select to_json(stored) from call_stream as stored where scope = $1) as before,
       ${stateOfExclusions} as state, (${knownOfPageSql}) as known`,
    [scope, ids, times.first, times.last, ...Object.values(values)],
  );
  return {
    before: row?.before ? streamOf(row.before) : undefined,
    state: row?.state ?? '',
    known: new Set(row?.known),
  };
}
