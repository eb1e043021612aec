import type { Migration } from './migration.ts';

/**
 * Tables through which machines coordinate. All times come from the clock of the database, which `store_now` reads.
 * Tests replace this function.
 */
export const coordinatorMigration: Migration = {
  number: 1,
  name: 'coordinator',
  privateTables: ['budget', 'session', 'session_intent', 'session_rejection', 'outcome'],
  sql: `
create function store_now() returns timestamptz language sql volatile as 'select clock_timestamp()';

create table budget (
  owner text not null, grp text not null, lim int, window_ms int not null, remaining int not null default 0,
  resets_at timestamptz not null default '-infinity', blocked_until timestamptz not null default '-infinity', primary key (owner, grp)
) with (fillfactor = 50);

create table session (
  item text primary key, generation bigint not null, encrypted text not null, changed_at timestamptz not null default store_now(),
  changed_by text not null
);
create table session_intent (
  item text not null, token text not null, started_at timestamptz not null default store_now(), machine text not null, pid int not null,
  primary key (item, token)
);
create table session_rejection (
  item text not null, token text not null, reason text not null, at timestamptz not null default store_now(), primary key (item, token)
);

create table outcome (
  id bigint generated always as identity primary key, kind text not null, state text not null, profile text not null, origin text not null,
  owner text, extension text not null, digest text not null, receivers text not null, receiver_count int not null,
  started_at timestamptz not null default store_now(), ended_at timestamptz, service_id text, dedupe_key text,
  machine text not null, pid int not null, lease_until timestamptz not null
);
create index outcome_key on outcome (origin, dedupe_key, started_at) where dedupe_key is not null;
create index outcome_open on outcome (state) where state in ('sending', 'unknown');
create index outcome_sent on outcome (profile, origin, started_at);
create index outcome_digest on outcome (digest);
`,
};
