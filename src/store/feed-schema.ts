import { storeLock } from '../platform/postgres/store-lock.ts';
import type { Migration } from './migration.ts';

/**
 * Readers of the change feed that begin, and trims of other stores in the same database, no longer wait for a trim. The step
 * first waits for readers and trims that have the earlier lock.
 */
export const feedMigration: Migration = {
  number: 10,
  name: 'lock of the change feed',
  sql: `
lock table feed_trim, feed_reader in access exclusive mode;

create or replace function feed_advance(reader text, to_tx xid8, to_change bigint) returns void
language plpgsql security definer set search_path from current as $$
begin
  -- Trimming holds this lock, so that it sees every reader that starts before it.
  perform pg_advisory_xact_lock_shared(hashtextextended('ucctl ' || current_schema() || ' feed', 0));
  if exists (select 1 from feed_trim where (tx, change_id) > (to_tx, to_change)) then
    raise exception 'changes after this position were deleted by "ucctl store trim"'
      using hint = 'read v_message completely, and continue with the last position of v_change';
  end if;
  insert into feed_reader as known (name, tx, change_id) values (reader, to_tx, to_change)
  on conflict (name) do update set tx = excluded.tx, change_id = excluded.change_id, read_at = store_now()
  where (known.tx, known.change_id) <= (excluded.tx, excluded.change_id);
end $$;`,
};

/** A statement that excludes `feed_advance` and other trims until the end of the transaction. */
export const feedLock = storeLock("'feed'");
