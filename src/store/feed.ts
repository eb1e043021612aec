import type { Postgres } from '../platform/postgres/postgres.ts';
import { feedLock } from './feed-schema.ts';

/** A program that follows the change feed and records its position. */
export interface FeedReader {
  readonly name: string;
  /** Number of changes that the program has not read yet. */
  readonly behind: number;
  readonly readAt: Date;
}

/** The result of trimming the change feed. */
export interface TrimReport {
  /** Number of changes that were or would be deleted. */
  readonly deleted: number;
  readonly remaining: number;
  /** The reader that prevents the deletion of older changes; undefined if there is none. */
  readonly blockedBy: string | undefined;
}

/** Deleting millions of changes takes longer than other statements. */
const trimMilliseconds = 3_600_000;

/** Returns the readers, furthest behind first. @throws {StoreError} */
export function feedReaders(db: Postgres): Promise<readonly FeedReader[]> {
  return db.query<FeedReader>(
    `select name, read_at as "readAt",
      (select count(*) from message_change as change where (change.tx, change.change_id) > (feed_reader.tx, feed_reader.change_id)) as behind
     from feed_reader order by tx, change_id, name`,
  );
}

/**
 * Deletes the beginning of the change feed: changes older than the given days, up to the first change that a known
 * reader has not read. Readers that start or continue before the end of the deleted part get an error.
 * @param forget readers to delete, so that they no longer prevent the deletion of changes. @throws {StoreError}
 */
export async function trimFeed(
  db: Postgres,
  {
    days,
    forget,
    dryRun,
  }: { readonly days: number; readonly forget: readonly string[]; readonly dryRun: boolean },
): Promise<TrimReport> {
  return db.transaction(async (transaction) => {
    await transaction.limit(trimMilliseconds);
    await transaction.query(feedLock);
    const [end] = await transaction.query<{ tx: string; change: string; blockedBy: string | null }>(
      `with recent as (
         select tx, change_id from message_change
         where at >= store_now() - make_interval(days => $1) or tx >= pg_snapshot_xmin(pg_current_snapshot())
         order by tx, change_id limit 1
       ), old as (
         select tx, change_id from message_change
         where not exists (select 1 from recent) or (tx, change_id) < (select tx, change_id from recent)
         order by tx desc, change_id desc limit 1
       ), slowest as (
         select name, tx, change_id from feed_reader where name <> all($2::text[]) order by tx, change_id, name limit 1
       )
       select case when is_held then slowest.tx else old.tx end::text as tx,
         case when is_held then slowest.change_id else old.change_id end::text as change, case when is_held then slowest.name end as "blockedBy"
       from old left join slowest on true
         cross join lateral (select coalesce((slowest.tx, slowest.change_id) < (old.tx, old.change_id), false) as is_held) as decision`,
      [days, forget],
    );
    const through = 'from message_change where (tx, change_id) <= ($1::text::xid8, $2::text::bigint)';
    const limit = [end?.tx ?? '0', end?.change ?? '0'];
    const [count] = await transaction.query<{ due: number; all: number }>(
      `select (select count(*) ${through}) as due, (select count(*) from message_change) as all`,
      limit,
    );
    const due = count?.due ?? 0;
    if (!dryRun) await transaction.run('delete from feed_reader where name = any($1)', [forget]);
    if (due > 0 && !dryRun) {
      await transaction.run(`delete ${through}`, limit);
      await transaction.run(
        `insert into feed_trim (tx, change_id) values ($1::text::xid8, $2::text::bigint) on conflict (only_row)
         do update set tx = excluded.tx, change_id = excluded.change_id, trimmed_at = store_now()`,
        limit,
      );
    }
    return { deleted: due, remaining: (count?.all ?? 0) - due, blockedBy: end?.blockedBy ?? undefined };
  });
}
