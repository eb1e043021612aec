import type { Migration } from './migration.ts';

/** Tasks of the fleet, its workers and its sign-ins. All times come from the clock of the database. */
export const fleetMigration: Migration = {
  number: 5,
  name: 'fleet',
  sql: `
-- One task for each mailbox (messages, media), and one for the call log. A worker that claims a task increments its fence
-- and moves due_at to the end of its lease, so that a lost worker's task becomes due by itself.
create table fleet_task (
  task_id bigint generated always as identity primary key, kind text collate "C" not null check (kind in ('messages', 'calls', 'media')),
  subject text collate "C" not null, label text not null, on_delete text not null default 'mark', every_seconds int not null check (every_seconds > 0),
  state text not null default 'active' check (state in ('active', 'paused', 'failed')), enrolled_at timestamptz not null default store_now(),
  due_at timestamptz not null default store_now(), change_seq bigint not null default 0, claimed_seq bigint not null default 0,
  fence bigint not null default 0, lease_until timestamptz not null default '-infinity', worker text, session text, attempts int not null default 0,
  problem text, done_at timestamptz, runs bigint not null default 0, fenced bigint not null default 0, unique (kind, subject)
) with (fillfactor = 70);
create index fleet_task_due on fleet_task (kind, due_at) where state = 'active';
create index fleet_task_of_worker on fleet_task (worker) where worker is not null;

create table fleet_worker (
  worker text collate "C" primary key, machine text not null, pid int not null, version text not null, concurrency int not null,
  state text not null default 'running' check (state in ('running', 'draining')), started_at timestamptz not null default store_now(),
  seen_at timestamptz not null default store_now()
);

create table fleet_session (
  profile text primary key, origin text not null, owner text not null, who text not null, added_at timestamptz not null default store_now(),
  problem text
);

-- Whether a worker still has a task. The row stays locked until the end of the transaction, so that nobody claims the task
-- between this check and the commit of the data.
create function fleet_is_current(bigint, bigint) returns boolean language sql volatile as
  'select exists (select 1 from fleet_task where task_id = $1 and fence = $2 for no key update)';
`,
};
