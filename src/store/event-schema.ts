/** The log of live events and its consumers. Times come from the clock of the database. */
export const eventTables = `
create table event (
  id bigint generated always as identity primary key, tx xid8 not null default pg_current_xact_id(), receiver text collate "C" not null,
  key text collate "C" not null, lane text collate "C" not null, received_at timestamptz not null default store_now(),
  origin text not null, encrypted boolean not null, raw text not null, unique (receiver, key)
);
create index event_in_order on event (tx, id);
create index event_by_time on event (received_at);

create table event_consumer (
  name text collate "C" primary key, receiver text collate "C", tx xid8 not null default '0', id bigint not null default 0,
  created_at timestamptz not null default store_now()
);
-- Events that a consumer has taken from the log and not finished.
create table event_delivery (
  consumer text collate "C" not null, event_id bigint not null, tx xid8 not null, lane text collate "C" not null, state text not null default 'pending',
  attempts int not null default 0, fence bigint not null default 0, due_at timestamptz not null default '-infinity',
  lease_until timestamptz not null default '-infinity', worker text, problem text, primary key (consumer, event_id)
);
create index event_delivery_in_order on event_delivery (consumer, lane, tx, event_id) where state = 'pending';
`;

/** Tables with the texts of messages and numbers of callers, which the reader role must not read. */
export const privateEventTables = ['event', 'event_delivery'];
