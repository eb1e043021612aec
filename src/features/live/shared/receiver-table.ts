import type { Postgres, Queries } from '../../../platform/postgres/postgres.ts';
import { CommandError, Exit } from '../../../errors/command.ts';
import { nextStep, ucctl } from '../../../errors/hint.ts';
import { countRunning, isRunning, reportAlive, type ReceiverProcess } from './process-table.ts';

/** The options that are equal in all processes of a receiver. */
export interface ReceiverDefinition {
  readonly name: string;
  /** Origin of the service. */
  readonly origin: string;
  /** The path of the receiver; undefined for the path in the store. */
  readonly path: string | undefined;
  /** The verification token; undefined for the token in the store. */
  readonly token: string | undefined;
  /** Returns the address to which the service sends notifications to this path. */
  readonly addressOf: (path: string) => string;
  /** Event filters of the subscription; undefined if another program creates it. */
  readonly eventFilters: readonly string[] | undefined;
  /** Whether the events go to a stream instead of the store. */
  readonly streams: boolean;
  /** Used if the store has no path or token yet. A receiver without a subscription needs no token. */
  readonly fresh: { readonly path: string; readonly token: string | undefined };
}

/** Stored data of a receiver that a process has joined. */
export interface JoinedReceiver {
  readonly path: string;
  readonly token: string | undefined;
  readonly address: string;
}

/** The reply to a report that a process is alive. */
export interface ReceiverTurn {
  /** The fence of this process if it is the owner, which creates and renews the subscription; otherwise undefined. */
  readonly fence: number | undefined;
  readonly owner: string | undefined;
  readonly subscriptionId: string | undefined;
  /** Whether the subscription has an address or a token that is no longer valid. */
  readonly replaces: boolean;
  /** Whether events may be missing, for example because all processes were down. */
  readonly recovers: boolean;
  /** Whether a process ended without a report, for example because it was killed. */
  readonly hasLost: boolean;
  /** The reason why the owner could not create or renew the subscription. */
  readonly problem: string | undefined;
}

/** The state of a receiver for `events receivers`. */
export interface ReceiverState {
  readonly name: string;
  readonly address: string | null;
  readonly eventFilters: readonly string[];
  readonly subscriptionId: string | null;
  readonly owner: string | null;
  readonly problem: string | null;
  readonly processes: number;
  /** Number of events in the store; null if the events go to a stream. */
  readonly events: number | null;
  readonly lastEventAt: Date | null;
}

/**
 * The time of the last trimming of a receiver whose events go to a stream, and that has no events in the store. The
 * receiver then deletes no events from the store.
 */
const neverTrimmed = `'infinity'::timestamptz`;

/** Duration of the owner's lease in milliseconds. Each report of the owner extends the lease. */
export const ownerLeaseMilliseconds = 5000;

interface ReceiverRow {
  readonly path: string;
  readonly token: string | null;
  readonly address: string | null;
  readonly origin: string | null;
  readonly eventFilters: readonly string[];
  readonly live: number;
}

/**
 * Adds a process to a receiver, and creates the receiver with the first process. The store determines path
 * and token.
 * @throws {CommandError} `receiver_differs` (exit 11) if running processes of the receiver have other
 * options.
 */
export async function joinReceiver(
  db: Postgres,
  wanted: ReceiverDefinition,
  self: ReceiverProcess,
): Promise<JoinedReceiver> {
  const { name, fresh, origin } = wanted;
  return db.transaction(async (transaction) => {
    await transaction.run(
      'insert into receiver (name, path, token) values ($1, $2, $3) on conflict do nothing',
      [name, wanted.path ?? fresh.path, wanted.token ?? fresh.token ?? null],
    );
    const [row] = await transaction.query<ReceiverRow>(
      `select path, token, address, origin, event_filters as "eventFilters", (
         select count(*) from receiver_process where receiver = name and ${isRunning}
       ) as live from receiver where name = $1 for update`,
      [name],
    );
    if (!row) throw new RangeError(`receiver ${name} was deleted`);
    const path = wanted.path ?? row.path;
    const token = wanted.token ?? row.token ?? fresh.token ?? null;
    const address = wanted.addressOf(path);
    const eventFilters = wanted.eventFilters ?? [];
    const next = { path, token, address, origin, eventFilters };
    if (row.live > 0) requireSame(name, row, next);
    await transaction.run(
      `update receiver set path = $2, token = $3, address = $4, origin = $5, event_filters = $6, recovers = recovers or $7,
         replaces = replaces or (address is distinct from $4 or token is distinct from $3),
         trimmed_at = case when $8 and not exists (select from event where receiver = name) then ${neverTrimmed}
           when trimmed_at = ${neverTrimmed} then '-infinity' else trimmed_at end
       where name = $1`,
      [name, path, token, address, origin, eventFilters, row.live === 0, wanted.streams],
    );
    await transaction.run(
      `delete from receiver_process where receiver = $1 and ($2 or seen_at < store_now() - interval '1 hour')`,
      [name, row.live === 0],
    );
    await reportAlive(transaction, name, self);
    return { path, token: token ?? undefined, address };
  });
}

/** @throws {CommandError} `receiver_differs` (exit 11). */
function requireSame(name: string, row: ReceiverRow, next: Omit<ReceiverRow, 'live'>): void {
  const members = {
    'another path': row.path !== next.path,
    'another verification token': row.token !== next.token,
    'another service': row.origin !== next.origin,
    'another public address': row.address !== next.address,
    'other events':
      JSON.stringify(row.eventFilters.toSorted()) !== JSON.stringify(next.eventFilters.toSorted()),
  };
  const [different] = Object.entries(members).find(([, differs]) => differs) ?? [];
  if (different === undefined) return;
  throw new CommandError(
    'receiver_differs',
    Exit.conflict,
    `receiver "${name}" of this store runs with ${different}`,
    {
      hint: nextStep`use the options of the running processes (${ucctl('events receivers')}), stop these processes, or use another name with --receiver`,
    },
  );
}

/**
 * Reports that the process is alive, and acquires or extends the owner's lease if no other process has the
 * lease. A lease that would end later than after two periods comes from a clock that was set back.
 * @param wants whether the process can be the owner.
 */
export async function takeTurn(
  db: Queries,
  receiver: string,
  self: ReceiverProcess,
  wants: boolean,
): Promise<ReceiverTurn> {
  await reportAlive(db, receiver, self);
  const own = wants
    ? await db.query<{ fence: number }>(
        `with clock as materialized (select store_now() as t)
         update receiver set owner = $2, fence = fence + case when owner is distinct from $2 then 1 else 0 end,
           lease_until = t + make_interval(secs => $3::float8 / 1000)
         from clock where name = $1 and (owner = $2 or lease_until <= t or lease_until > t + make_interval(secs => $3::float8 / 500)) returning fence`,
        [receiver, self.process, ownerLeaseMilliseconds],
      )
    : [];
  const [row] = await db.query<{
    owner: string | null;
    subscriptionId: string | null;
    replaces: boolean;
    recovers: boolean;
    hasLost: boolean;
    problem: string | null;
  }>(
    `select owner, subscription_id as "subscriptionId", replaces, recovers, problem, exists (
       select from receiver_process where receiver = name and not ${isRunning}
     ) as "hasLost" from receiver where name = $1`,
    [receiver],
  );
  return {
    fence: own[0]?.fence,
    owner: row?.owner ?? undefined,
    subscriptionId: row?.subscriptionId ?? undefined,
    replaces: row?.replaces ?? false,
    recovers: row?.recovers ?? false,
    hasLost: row?.hasLost ?? false,
    problem: row?.problem ?? undefined,
  };
}

/** The result of the owner's work. */
export interface OwnerReport {
  /** The subscription, which has the address and the token of the receiver. */
  readonly subscriptionId?: string;
  /** Whether events may be missing; undefined leaves the stored value unchanged. */
  readonly recovers?: boolean;
  readonly problem: string | null;
}

/** Records the result of the owner's work. @returns false if another process has become the owner. */
export async function recordAsOwner(
  db: Queries,
  receiver: string,
  fence: number,
  { subscriptionId, recovers, problem }: OwnerReport,
): Promise<boolean> {
  const changed = await db.run(
    `update receiver set subscription_id = coalesce($3, subscription_id), replaces = replaces and $3 is null,
       recovers = coalesce($4, recovers), problem = $5 where name = $1 and fence = $2`,
    [receiver, fence, subscriptionId ?? null, recovers ?? null, problem],
  );
  return changed > 0;
}

/**
 * Makes the next owner recover missed events, and ends the duties of the current owner. Its fence changes, so that it
 * cannot record an earlier recovery as this one.
 */
export async function requestRecovery(db: Queries, receiver: string): Promise<void> {
  await db.run(
    `update receiver set recovers = true, owner = null, lease_until = '-infinity', fence = fence + 1 where name = $1`,
    [receiver],
  );
}

/** Releases the owner's lease, so that another process can acquire it immediately. */
export async function releaseOwner(db: Queries, receiver: string, self: ReceiverProcess): Promise<void> {
  await db.run(`update receiver set owner = null, lease_until = '-infinity' where name = $1 and owner = $2`, [
    receiver,
    self.process,
  ]);
}

/** Removes a process that ends. @returns the number of processes that still run. */
export async function leaveReceiver(db: Postgres, receiver: string, self: ReceiverProcess): Promise<number> {
  return db.transaction(async (transaction) => {
    await releaseOwner(transaction, receiver, self);
    await transaction.run('delete from receiver_process where receiver = $1 and process = $2', [
      receiver,
      self.process,
    ]);
    return countRunning(transaction, receiver);
  });
}

/** Whether old events should be deleted now: at most every 10 minutes, by one process. */
export async function isTrimDue(db: Queries, receiver: string): Promise<boolean> {
  const changed = await db.run(
    `with clock as materialized (select store_now() as t)
     update receiver set trimmed_at = t from clock where name = $1 and trimmed_at < t - interval '10 minutes'`,
    [receiver],
  );
  return changed > 0;
}

/** The receivers of a store, in the order of their names. */
export function receiverStates(db: Queries): Promise<readonly ReceiverState[]> {
  return db.query<ReceiverState>(
    `with clock as materialized (select store_now() as t)
     select name, address, event_filters as "eventFilters", subscription_id as "subscriptionId",
       case when lease_until > t then owner end as owner, problem,
       (select count(*) from receiver_process where receiver = name and ${isRunning}) as processes,
       case when trimmed_at < ${neverTrimmed} then (select count(*) from event where receiver = name) end as events,
       (select max(received_at) from event where receiver = name) as "lastEventAt"
     from receiver, clock order by name`,
  );
}
