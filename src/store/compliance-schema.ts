import { eventTables, privateEventTables } from './event-schema.ts';
import type { Migration } from './migration.ts';

/**
 * The account of the archive, retention rules, legal holds, the readers of the change feed, and the log of live events.
 */
export const complianceMigration: Migration = {
  number: 3,
  name: 'compliance and events',
  appendTables: ['audit'],
  privateTables: privateEventTables,
  sql: `
-- Reports for the whole account name no scope.
drop index call_by_time;
create index call_by_start on call_record (start_time, scope);

create table archive_account (
  only_row boolean primary key default true check (only_row), account_id text not null, bound_at timestamptz not null default store_now()
);

create table retention_rule (
  type text collate "C" primary key, keep_days int not null check (keep_days > 0), set_at timestamptz not null default store_now(),
  set_by text not null default session_user
);
create table legal_hold (
  kind text not null check (kind in ('mailbox', 'number')), value text collate "C" not null, reason text not null,
  set_at timestamptz not null default store_now(), set_by text not null default session_user, primary key (kind, value)
);
-- Records of a type that are older were deleted by its rule. Later syncs do not copy them again.
create table expired_before (type text collate "C" primary key, before text collate "C" not null);

create function is_held(extension text, sender text, receivers text) returns boolean language sql stable as $$
  select exists (select 1 from legal_hold where (kind = 'mailbox' and value = extension)
    or (kind = 'number' and (value = sender or position(' ' || value || ' ' in ' ' || receivers || ' ') > 0)))
$$;

create table feed_reader (
  name text primary key, tx xid8 not null default '0', change_id bigint not null default 0,
  created_at timestamptz not null default store_now(), read_at timestamptz not null default store_now()
);
create table feed_trim (
  only_row boolean primary key default true check (only_row), tx xid8 not null, change_id bigint not null,
  trimmed_at timestamptz not null default store_now()
);

-- The reader role has no right to change tables, but records its own position.
create function feed_advance(reader text, to_tx xid8, to_change bigint) returns void language plpgsql security definer set search_path from current as $$
begin
  -- Trimming holds this lock, so that it sees every reader that starts before it.
  perform pg_advisory_xact_lock_shared(hashtext('ucctl feed'));
  if exists (select 1 from feed_trim where (tx, change_id) > (to_tx, to_change)) then
    raise exception 'changes after this position were deleted by "ucctl store trim"'
      using hint = 'read v_message completely, and continue with the last position of v_change';
  end if;
  insert into feed_reader as known (name, tx, change_id) values (reader, to_tx, to_change)
  on conflict (name) do update set tx = excluded.tx, change_id = excluded.change_id, read_at = store_now()
  where (known.tx, known.change_id) <= (excluded.tx, excluded.change_id);
end $$;
${eventTables}`,
};
