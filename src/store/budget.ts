import type { FleetBudget, FleetTake } from '../client/rate-limiter.ts';
import type { Postgres, Queries } from '../platform/postgres/postgres.ts';
import { longestPenaltySeconds, longestWindowMilliseconds } from '../platform/rate-bounds.ts';

/** Milliseconds by which a window ends later than computed, because the service counts by its own clock. */
const guardMilliseconds = 250;
const longestPenaltyMilliseconds = longestPenaltySeconds * 1000;
/** Milliseconds after which another request may find out the limit, because the reply of the first is missing. */
const probeMilliseconds = 2000;
/** Milliseconds after which a request asks again whether the limit is known. */
const unknownWaitMilliseconds = 200;
/** Value of `remaining`, without a limit, if the service answered and named none. */
const unlimited = -1;
/** Largest limit that the store has; a service may name a larger number instead of no limit. */
const largestLimit = 2 ** 31 - 1;

interface Row {
  readonly taken: boolean;
  readonly probes: boolean;
  readonly opened: boolean | null;
  readonly lim: number | null;
  readonly remaining: number | null;
  readonly wait: number | null;
}

const longest = {
  'b.resets_at': longestWindowMilliseconds,
  'b.blocked_until': longestPenaltyMilliseconds,
} as const;

/**
 * A time of the budget, or `-infinity` for a time that is later than the end of any window or penalty: the clock of the
 * server was ahead, or another server has taken over. Otherwise, all requests would wait until this time.
 */
const timeOf = (column: 'b.resets_at' | 'b.blocked_until'): string =>
  `case when ${column} > t + make_interval(secs => ${longest[column] + 1000} / 1000.0) then '-infinity' else ${column} end`;

/**
 * Takes one request if the window has ended or requests are left; otherwise computes the wait. While the limit is
 * unknown, it allows one request at a time: all machines together could otherwise exceed the limit before the first
 * reply names it. Only an update locks the row, so machines wait for each other for at most one statement.
 */
const takeStatement = `
with clock as materialized (select store_now() as t),
added as (
  insert into budget (owner, grp, window_ms, resets_at)
  select $1, $2, 60000, t + make_interval(secs => ${probeMilliseconds} / 1000.0) from clock
  where $4 and not exists (select 1 from budget where owner = $1 and grp = $2)
  on conflict do nothing returning true as probes
),
taken as (
  update budget b set
    remaining = case when b.lim is null then 0 when ${timeOf('b.resets_at')} <= t then greatest(b.lim - 1, 0) else b.remaining - 1 end,
    blocked_until = ${timeOf('b.blocked_until')},
    resets_at = case when b.lim is null then t + make_interval(secs => ${probeMilliseconds} / 1000.0)
      when ${timeOf('b.resets_at')} <= t then t + make_interval(secs => (b.window_ms + ${guardMilliseconds}) / 1000.0) else b.resets_at end
  from clock
  where owner = $1 and grp = $2 and ${timeOf('b.blocked_until')} <= t and b.remaining <> ${unlimited} and (b.lim is not null or $4)
    and (${timeOf('b.resets_at')} <= t or (b.lim is not null and b.remaining > $3))
  returning b.lim, b.remaining, b.lim is null as probes, b.resets_at = t + make_interval(secs => (b.window_ms + ${guardMilliseconds}) / 1000.0) as opened
)
select exists (select 1 from taken) as taken, exists (select 1 from taken where probes) or exists (select 1 from added) as probes,
  (select opened from taken) as opened,
  coalesce((select lim from taken), b.lim) as lim, coalesce((select remaining from taken), b.remaining) as remaining,
  case when b.owner is null then case when $4 then ${unknownWaitMilliseconds} end else ceil(extract(epoch from greatest(${timeOf('b.blocked_until')}, case when b.lim is not null and b.remaining <= $3 then ${timeOf('b.resets_at')}
    when $4 and b.lim is null and b.remaining <> ${unlimited} then least(${timeOf('b.resets_at')}, t + make_interval(secs => ${unknownWaitMilliseconds} / 1000.0)) end, t) - t) * 1000) end::int as wait
from clock left join budget b on b.owner = $1 and b.grp = $2`;

const learnStatement = `
insert into budget as b (owner, grp, lim, window_ms, remaining, resets_at)
values ($1, $2, $3, $4, $5, store_now() + make_interval(secs => ($4 + ${guardMilliseconds}) / 1000.0))
on conflict (owner, grp) do update set lim = excluded.lim, window_ms = excluded.window_ms,
  remaining = case when b.lim is null or b.resets_at <= store_now() then excluded.remaining 
    else greatest(0, least(b.remaining - case when $7 then 0 else 1 end, excluded.remaining)) end,
  resets_at = case when b.lim is null or b.resets_at = '-infinity' then excluded.resets_at
    when $6 then greatest(b.resets_at, excluded.resets_at) else b.resets_at end`;

const blockStatement = `
insert into budget as b (owner, grp, window_ms, blocked_until) values ($1, $2, 60000, store_now() + make_interval(secs => $3 / 1000.0))
on conflict (owner, grp) do update set blocked_until = greatest(b.blocked_until, excluded.blocked_until)`;

/**
 * Returns the rate budget of one user in the store. `owner` names application and user, as the service counts requests.
 * @param sleep waits while the server restarts. A repeated statement may take a second request, which is harmless.
 */
export function storeBudget(
  db: Postgres,
  owner: string,
  sleep: (milliseconds: number) => Promise<void>,
): FleetBudget {
  const repeat = <T>(work: () => Promise<T>): Promise<T> => db.restartWait.lasting(sleep, work);
  const budget: FleetBudget = {
    take: (group, reserve, isLearned) => repeat(() => takeBudget(db, owner, group, reserve, isLearned)),
    async learn(group, { limit, remaining, windowMilliseconds }, { opened, counted }) {
      // A longer window is a mistake of the service. The requests of all machines must not wait for a limit that the store never learns.
      if (windowMilliseconds > longestWindowMilliseconds) return budget.learnNothing(group, true);
      const [lim, left] = [limit, remaining].map((count) => Math.min(count, largestLimit)) as [
        number,
        number,
      ];
      await repeat(() =>
        db.run(learnStatement, [owner, group, lim, windowMilliseconds, left, opened, counted]),
      );
    },
    async assume(group, { limit, windowMilliseconds }) {
      await repeat(() =>
        db.run(
          `insert into budget (owner, grp, lim, window_ms, remaining, resets_at) values ($1, $2, $3, $4::int, $3,
            store_now() + make_interval(secs => $4::int / 1000.0))
           on conflict (owner, grp) do update set lim = excluded.lim, window_ms = excluded.window_ms, remaining = excluded.remaining,
            resets_at = excluded.resets_at where budget.lim is null`,
          [owner, group, limit, windowMilliseconds],
        ),
      );
    },
    async forget(group) {
      await repeat(() => db.run('delete from budget where owner = $1 and grp = $2', [owner, group]));
    },
    async learnNothing(group, answered) {
      await repeat(() =>
        db.run(
          `update budget set remaining = $3, resets_at = '-infinity' where owner = $1 and grp = $2 and lim is null`,
          [owner, group, answered ? unlimited : 0],
        ),
      );
    },
    async giveBack(group) {
      await repeat(() =>
        db.run(
          `update budget set remaining = least(lim, remaining + 1) where owner = $1 and grp = $2 and lim is not null
            and resets_at > store_now()`,
          [owner, group],
        ),
      );
    },
    async block(group, milliseconds) {
      const penalty = Math.min(milliseconds, longestPenaltyMilliseconds);
      await repeat(() => db.run(blockStatement, [owner, group, penalty]));
    },
  };
  return budget;
}

/**
 * Takes one request from the budget of a user, within the transaction of `db` if it is one: a rollback returns the
 * request. `isLearned` means that `learn` gets the reply.
 * @throws {StoreError}
 */
export async function takeBudget(
  db: Queries,
  owner: string,
  group: string,
  reserve = 0,
  isLearned = true,
): Promise<FleetTake> {
  const [row] = await db.query<Row>(takeStatement, [owner, group, reserve, isLearned]);
  return takenOf(row);
}

function takenOf(row: Row | undefined): FleetTake {
  const probes = row?.probes === true;
  if (!row || probes || (row.lim === null && (row.wait ?? 0) === 0))
    return { wait: 0, opened: false, probes, known: undefined };
  const known = row.lim === null ? undefined : { limit: row.lim, remaining: row.remaining ?? 0 };
  if (row.taken) return { wait: 0, opened: row.opened === true && known !== undefined, probes, known };
  // Another machine may have taken the last request between the two parts of the statement.
  return { wait: Math.max(1, row.wait ?? 1), opened: false, probes, known };
}
