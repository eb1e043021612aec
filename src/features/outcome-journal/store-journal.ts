import { machineName } from '../../platform/machine-name.ts';
import { ownProcess } from '../../platform/own-process.ts';
import type { Postgres, Queries } from '../../platform/postgres/postgres.ts';
import { storeLock } from '../../platform/postgres/store-lock.ts';
import { dedupeKeyMilliseconds } from '../../runtime/outgoing-options.ts';
import type { SqlParameter } from '../../platform/postgres/statement.ts';
import type { Ending, Owner } from './journal.ts';
import { outcomeOf, type Outcome, type OutcomeRow, type OutcomeState } from './outcome.ts';
import { isSameRecord } from './same-record.ts';
import { listKeyOf, type KeyUse } from './key-uses.ts';
import { chooseOutcomes, rowsOf, type Listing } from './listing.ts';
import type { Claim, DoubtfulSend, SendJournal } from './send-journal.ts';

interface Row extends OutcomeRow {
  readonly started: number;
  readonly ended: number | null;
  readonly machine: string;
  readonly expired: boolean;
  readonly now: number;
}

/** Seconds after which a request of another machine that is not renewed counts as lost. */
const leaseSeconds = 600;
const lease = `store_now() + make_interval(secs => ${leaseSeconds})`;
/** Milliseconds between renewals of the leases of requests in flight. */
const renewMilliseconds = 180_000;
const retentionDays = 30;

const milliseconds = (column: string): string => `(extract(epoch from ${column}) * 1000)::bigint`;
// A lease that ends later than after two periods comes from a clock that was set back, and a running request renews it.
const expired = `lease_until not between store_now() and store_now() + make_interval(secs => ${2 * leaseSeconds})`;
const columns = `*, ${milliseconds('started_at')} as started, ${milliseconds('ended_at')} as ended, ${expired} as expired,
  ${milliseconds('store_now()')} as now`;
const used = "state not in ('failed', 'not-sent')";

/**
 * The journal that machines share. A key is claimed in one transaction, so that no other machine sends a request that
 * one machine has claimed. All stored times come from the clock of the store, and are converted to the clock of this
 * machine. If the connection is lost, a claim and its end are repeated for about 15 s.
 */
export class StoreSendJournal implements SendJournal {
  readonly #db: Postgres;
  readonly #now: () => number;
  readonly #sleep: (milliseconds: number) => Promise<void>;
  readonly #machine = machineName();
  readonly #inFlight = new Set<number>();
  #timer: NodeJS.Timeout | undefined;

  /** @param sleep waits while the server restarts */
  constructor(db: Postgres, now: () => number, sleep: (milliseconds: number) => Promise<void>) {
    this.#db = db;
    this.#now = now;
    this.#sleep = sleep;
  }

  async claim(request: Claim): ReturnType<SendJournal['claim']> {
    // The ID of an attempt whose commit got no reply.
    let unconfirmed: number | undefined;
    const attempt = async (transaction: Queries): ReturnType<SendJournal['claim']> => {
      await lockClaim(transaction, request);
      if (unconfirmed !== undefined && (await this.#isSending(transaction, unconfirmed)))
        return { id: unconfirmed };
      const result = await this.#claimIn(transaction, request);
      if ('id' in result) unconfirmed = result.id;
      return result;
    };
    const claimed = await this.#lasting(() => this.#db.transaction(attempt, { durable: true }));
    if ('id' in claimed) this.#renewWhileInFlight(claimed.id);
    return claimed;
  }

  async #claimIn(
    transaction: Queries,
    { sender, call, dedupeKey, since, admit }: Claim,
  ): ReturnType<SendJournal['claim']> {
    const { origin } = sender;
    const { digest } = call;
    const earlier =
      dedupeKey === undefined
        ? undefined
        : await this.#withKey(transaction, { origin, dedupeKey, digest, since });
    if (earlier) return { earlier };
    admit?.(await countRecent(transaction, sender, 3600), call.to.split(',').length);
    const [row] = await transaction.query<{ id: number }>(
      `insert into outcome (kind, state, profile, origin, owner, extension, digest, receivers, receiver_count, dedupe_key, machine, pid, lease_until)
          values ($1, 'sending', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, ${lease}) returning id`,
      this.#valuesOf({ sender, call, dedupeKey }),
    );
    return { id: row?.id ?? 0 };
  }

  /** Whether the store has the record of a request of this process. */
  async #isSending(db: Queries, id: number): Promise<boolean> {
    const rows = await db.query(
      "select 1 from outcome where id = $1 and state = 'sending' and machine = $2 and pid = $3",
      [id, this.#machine, ownProcess.pid],
    );
    return rows.length > 0;
  }

  #lasting<T>(work: () => Promise<T>): Promise<T> {
    return this.#db.restartWait.lasting(this.#sleep, work);
  }

  /** Returns the values of the first eleven columns of both inserts. */
  #valuesOf({ sender, call, dedupeKey }: Omit<DoubtfulSend, 'startedAt'>): readonly SqlParameter[] {
    return [
      call.kind,
      sender.profile,
      sender.origin,
      sender.who ?? null,
      call.extension,
      call.digest,
      call.to,
      call.to.split(',').length,
      dedupeKey ?? null,
      this.#machine,
      ownProcess.pid,
    ];
  }

  async addUnknown(send: DoubtfulSend): Promise<void> {
    await this.#db.run(
      `insert into outcome (kind, state, profile, origin, owner, extension, digest, receivers, receiver_count, dedupe_key, machine, pid, lease_until, started_at, ended_at)
          values ($1, 'unknown', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, store_now(), store_now() - make_interval(secs => $12), store_now())`,
      [...this.#valuesOf(send), (this.#now() - send.startedAt) / 1000],
    );
  }

  withKey(use: KeyUse): Promise<Outcome | undefined> {
    return this.#withKey(this.#db, use);
  }

  async #withKey(db: Queries, { origin, dedupeKey, digest, since }: KeyUse): Promise<Outcome | undefined> {
    const now = this.#now();
    // The times in the store come from its own clock.
    const seconds = Math.max(dedupeKeyMilliseconds, now - (since ?? now)) / 1000;
    const newest = async (condition: string, values: readonly SqlParameter[]): Promise<Row | undefined> => {
      const [row] = await db.query<Row>(
        `select ${columns} from outcome where origin = $1 and ${condition} and started_at > store_now() - make_interval(secs => $2) and ${used}
           order by id desc limit 1`,
        [origin, seconds, ...values],
      );
      return row;
    };
    const list = listKeyOf(dedupeKey);
    const sameText = list === undefined ? "starts_with(dedupe_key, $3 || ':')" : 'dedupe_key = $3';
    const row =
      (await newest('dedupe_key = $3', [dedupeKey])) ??
      (digest === '' ? undefined : await newest(`${sameText} and digest = $4`, [list ?? dedupeKey, digest]));
    return row && this.#outcomeOf(row);
  }

  async renew(id: number): Promise<OutcomeState | undefined> {
    const renewed = await this.#lasting(() =>
      this.#db.transaction(
        (transaction) =>
          transaction.run(
            `update outcome set started_at = greatest(started_at, store_now()), lease_until = ${lease} where id = $1 and state = 'sending'`,
            [id],
          ),
        { durable: true },
      ),
    );
    if (renewed > 0) return 'sending';
    this.#inFlight.delete(id);
    const [row] = await this.#db.query<Pick<Row, 'state'>>('select state from outcome where id = $1', [id]);
    return row?.state;
  }

  async resolve(seen: Outcome, ending: Ending): Promise<boolean> {
    return this.#db.transaction(
      async (transaction) => {
        const [row] = await transaction.query<Row>(
          `select ${columns} from outcome where id = $1 for update`,
          [seen.id],
        );
        const isUnchanged = row !== undefined && isSameRecord(seen, this.#outcomeOf(row));
        if (isUnchanged) await endIn(transaction, seen.id, ending);
        return isUnchanged;
      },
      { durable: true },
    );
  }

  async end(id: number, ending: Ending): Promise<void> {
    this.#inFlight.delete(id);
    if (this.#inFlight.size === 0) clearInterval(this.#timer);
    await this.#lasting(async () => {
      await endIn(this.#db, id, ending);
      await this.#deleteExpired();
    });
  }

  async #deleteExpired(): Promise<void> {
    // As in the journal of one machine: the clock may be wrong, so rows expire by the time of a request that is a
    // day old. The rows are found by an index, for which the clock must be read once.
    const dayOld = `(select max(started_at) from outcome where started_at <= (select store_now()) - interval '1 day')`;
    const expired = `(select ${dayOld} - interval '${retentionDays - 1} days')`;
    await this.#db.run(
      `delete from outcome where started_at < ${expired} and ended_at < ${expired} and state not in ('sending', 'unknown')`,
    );
  }

  async list({ profile, origin }: Owner, listing: Listing = {}): Promise<readonly Outcome[]> {
    const { states, limit } = rowsOf(listing);
    const rows = await this.#rows(
      'profile = $1 and origin = $2 and ($3::text[] is null or state = any($3))',
      [profile, origin, states],
      limit,
    );
    return chooseOutcomes(rows, listing);
  }

  listAll(origin: string): Promise<readonly Outcome[]> {
    return this.#rows('origin = $1', [origin]);
  }

  withDigest(origin: string, digest: string): Promise<readonly Outcome[]> {
    return this.#rows('origin = $1 and digest = $2', [origin, digest]);
  }

  countSince(owner: Owner, time: number): Promise<number> {
    return countRecent(this.#db, owner, (this.#now() - time) / 1000);
  }

  /** The connections belong to the run. */
  close(): void {
    clearInterval(this.#timer);
  }

  async #rows(
    condition: string,
    values: readonly SqlParameter[],
    limit: number | null = null,
  ): Promise<readonly Outcome[]> {
    const rows = await this.#db.query<Row>(
      `select ${columns} from outcome where ${condition} order by id desc limit $${values.length + 1}::bigint`,
      [...values, limit],
    );
    return rows.map((row) => this.#outcomeOf(row));
  }

  /**
   * Returns the outcome of a row. The outcome is unknown if the process ended while the row was in the state `sending`.
   */
  #outcomeOf(row: Row): Outcome {
    const isOwn = row.machine === this.#machine;
    const isLost = row.state === 'sending' && (row.expired || (isOwn && !ownProcess.isAlive(row.pid)));
    const shift = this.#now() - row.now;
    return outcomeOf(row, {
      isLost,
      startedAt: row.started + shift,
      endedAt: row.ended === null ? null : row.ended + shift,
    });
  }

  #renewWhileInFlight(id: number): void {
    this.#inFlight.add(id);
    if (this.#inFlight.size > 1) return;
    clearInterval(this.#timer);
    const renew = (): void => {
      const sql = `update outcome set lease_until = ${lease} where id = any($1::bigint[])`;
      // A failed renewal is repeated. Without a renewal, other machines treat the outcome as unknown and may resolve
      // it, so that a process that was suspended renews its record before it sends the request.
      this.#db.run(sql, [[...this.#inFlight]]).catch(() => undefined);
    };
    this.#timer = setInterval(renew, renewMilliseconds).unref();
  }
}

/**
 * Makes claims of the same key, of the same text, or of the same hourly limit one after another. The order of the locks
 * is the same in each claim and version, so that no two claims wait for each other.
 */
async function lockClaim(transaction: Queries, { sender, call, dedupeKey, admit }: Claim): Promise<void> {
  const { origin, profile } = sender;
  const locks = [
    ...(dedupeKey === undefined ? [] : [`key ${origin} ${dedupeKey}`]),
    ...(admit ? [`limit ${origin} ${profile}`] : []),
    // A text of a list and the same text alone have different keys.
    ...(dedupeKey === undefined || call.digest === '' ? [] : [`text ${origin} ${call.digest}`]),
  ];
  for (const lock of locks) await transaction.run(storeLock('$1'), [lock]);
}

async function endIn(db: Queries, id: number, { state, serviceId }: Ending): Promise<void> {
  await db.run('update outcome set state = $2, service_id = $3, ended_at = store_now() where id = $1', [
    id,
    state,
    serviceId ?? null,
  ]);
}

/**
 * Returns the number of recipients of the messages and calls that were sent, or may have been sent, in the last
 * seconds.
 */
async function countRecent(
  db: Pick<Postgres, 'query'>,
  { profile, origin }: Owner,
  seconds: number,
): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    `select coalesce(sum(receiver_count), 0)::int as n from outcome where profile = $1 and origin = $2
      and started_at > store_now() - make_interval(secs => $3) and kind in ('sms', 'pager', 'fax', 'ringout') and ${used}`,
    [profile, origin, seconds],
  );
  return row?.n ?? 0;
}
