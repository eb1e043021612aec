import type { Migration } from './migration.ts';

/** Receivers of live events that share a store, and changes that they report to the fleet. */
export const receiverMigration: Migration = {
  number: 6,
  name: 'receivers',
  privateTables: ['receiver', 'receiver_sync_point'],
  sql: `
create table receiver (
  name text collate "C" primary key, path text not null, token text, address text, origin text, event_filters text[] not null default '{}',
  subscription_id text, replaces boolean not null default false, recovers boolean not null default false, problem text, owner text, fence bigint not null default 0,
  lease_until timestamptz not null default '-infinity', trimmed_at timestamptz not null default '-infinity'
);
create table receiver_process (
  receiver text collate "C" not null references receiver on delete cascade, process text collate "C" not null, machine text not null, pid int not null,
  version text not null, started_at timestamptz not null default store_now(), seen_at timestamptz not null default store_now(),
  primary key (receiver, process)
);
create table receiver_sync_point (
  receiver text collate "C" not null references receiver on delete cascade, extension_id text not null, token text not null,
  taken_at bigint not null, event_id bigint not null, known text[] not null, primary key (receiver, extension_id)
);
create index event_of_lane on event (receiver, lane, id);

-- Tasks with a change that was reported while a worker stored their data. A report must not wait for this worker.
create table fleet_mark (task_id bigint not null);

-- Ends the delivery of an event in the transaction of a consumer. False if another process has taken over, or the event is
-- finished: the transaction must then be rolled back.
create function event_done(text, bigint, bigint) returns boolean language sql volatile as
  'with done as (
     delete from event_delivery where consumer = $1 and event_id = $2 and fence = $3 and state = ''pending'' returning 1
   ) select exists (select 1 from done)';
`,
};
