import type { CallLogFilter, CallLogRecord } from '../../contract/call-log.ts';
import { isoWithOffset } from '../../platform/moment.ts';
import { transaction, type Database } from '../../platform/sqlite.ts';
import { CallTable, type CallCounts } from './call-table.ts';
import { prepareCalls } from './schema.ts';
import { readStream, saveStream, type CallStream, type PendingReading } from './stream.ts';

/** The log of one scope at the service. */
export interface CallSource {
  /** Latest first. */
  list(filter: CallLogFilter): AsyncIterable<CallLogRecord>;
  /** The Detailed records of these ids, absent ones undefined. */
  get(ids: readonly string[]): Promise<readonly (CallLogRecord | undefined)[]>;
  /** The time of the service when it last answered, in milliseconds since 1970; undefined where it does not say. */
  now(): number | undefined;
}

export interface CallSyncOptions {
  /** `account`, or `~` for the signed-in user's own calls. */
  readonly scope: string;
  /** Milliseconds since 1970 from which calls are wanted; undefined: everything that the service keeps. */
  readonly since?: number | undefined;
  /** Calls that began so long before the last sync are read again: their legs may have come late. Milliseconds. */
  readonly overlap: number;
  /** Read everything again from the beginning. */
  readonly full?: boolean | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly isErased: (numbers: readonly string[]) => boolean;
  /** So many records have come so far. */
  readonly onProgress?: ((received: number) => void) | undefined;
}

/** What one sync of a scope did. Times are ISO 8601 in UTC. */
export interface CallSyncReport extends Readonly<CallCounts> {
  readonly scope: string;
  /** The copy holds every call from here. */
  readonly from: string;
  /** To here. */
  readonly to: string;
  /** An earlier sync that was interrupted was brought to its end first. */
  readonly resumed: boolean;
}

/** The log that answered is not the one that was copied before. Nothing of it was kept. */
export class OtherCallLogError extends Error {
  override readonly name = 'OtherCallLogError';
}

/** Before anything that a service keeps: left out, the service would give one day. */
const beginning = Date.UTC(2000);
/** Records in one transaction: a page of the largest size. */
const recordsAtOnce = 1000;
/** Calls that are never finished by the service are looked at for so long, in milliseconds. */
const longestCall = 30 * 86_400_000;

/**
 * Copies what is new in the log of one scope, and reads again what may have changed. A page of records and how far the reading has come go in
 * together, so that an end at any moment leaves a copy that the next sync carries on.
 * @throws {ForeignCallsError} @throws {OtherCallLogError} @throws what the source throws.
 */
export async function syncCalls(
  db: Database,
  source: CallSource,
  options: CallSyncOptions,
): Promise<CallSyncReport> {
  prepareCalls(db);
  const reading = new Reading(db, source, options);
  return reading.run();
}

class Reading {
  readonly #db: Database;
  readonly #source: CallSource;
  readonly #options: CallSyncOptions;
  readonly #table: CallTable;
  readonly #counts: CallCounts = { received: 0, added: 0, changed: 0, unchanged: 0, withheld: 0 };
  #stream: CallStream;

  constructor(db: Database, source: CallSource, options: CallSyncOptions) {
    const { scope, since = beginning, isErased } = options;
    this.#db = db;
    this.#source = source;
    this.#options = options;
    this.#table = new CallTable(db, scope, isErased);
    this.#stream = readStream(db, scope) ?? {
      owner: undefined,
      dateFrom: since,
      completeTo: undefined,
      pending: undefined,
      syncedAt: undefined,
    };
  }

  async run(): Promise<CallSyncReport> {
    const { scope, now } = this.#options;
    const isResumed = this.#stream.pending !== undefined;
    if (this.#stream.pending) await this.#read(this.#stream.pending);
    const from = this.#start();
    await this.#read({ from, to: now, target: now });
    await this.#readUnfinished(from);
    const { dateFrom } = this.#stream;
    return {
      scope,
      from: new Date(dateFrom).toISOString(),
      to: new Date(now).toISOString(),
      resumed: isResumed,
      ...this.#counts,
    };
  }

  /** Where the reading begins: at the overlap, or at the beginning when that is not copied yet or everything is wanted. */
  #start(): number {
    const { since, overlap, full } = this.#options;
    const { dateFrom, completeTo } = this.#stream;
    const isEarlier = since !== undefined && since < dateFrom;
    if (isEarlier) this.#stream = { ...this.#stream, dateFrom: since };
    if (isEarlier || full || completeTo === undefined) return this.#stream.dateFrom;
    return Math.max(dateFrom, this.#past(completeTo) - overlap);
  }

  /** Not later than now: a clock that was ahead would make calls that are yet to come pass for copied. */
  #past(time: number): number {
    return Math.min(time, this.#source.now() ?? this.#options.now);
  }

  async #read(pending: PendingReading): Promise<void> {
    const dates = { dateFrom: isoWithOffset(pending.from), dateTo: isoWithOffset(pending.to) };
    let { to } = pending;
    let isOrdered = true;
    let last = Number.POSITIVE_INFINITY;
    let page: CallLogRecord[] = [];
    for await (const record of this.#source.list({ view: 'Detailed', ...dates })) {
      const start = Date.parse(record.startTime);
      // Without the order, where the reading was interrupted would say nothing about what is missing.
      isOrdered &&= start <= last;
      last = start;
      page.push(record);
      if (page.length < recordsAtOnce) continue;
      // A second more: the next record may have begun at the same time.
      if (isOrdered) to = Math.min(to, last + 1000);
      this.#keep(page, { ...this.#stream, pending: { ...pending, to } });
      page = [];
    }
    const completeTo = this.#past(Math.max(pending.target, this.#stream.completeTo ?? 0));
    const syncedAt = new Date(this.#options.now).toISOString();
    this.#keep(page, { ...this.#stream, completeTo, pending: undefined, syncedAt });
  }

  /** Calls that went on when they were copied, and began too long ago to be read again. */
  async #readUnfinished(before: number): Promise<void> {
    const { scope, now } = this.#options;
    const between = [new Date(now - longestCall).toISOString(), new Date(before).toISOString()] as const;
    const rows = this.#db
      .prepare(
        'SELECT record_id AS id FROM call_record WHERE scope = ? AND unfinished = 1 AND start_time >= ? AND start_time < ?',
      )
      .all(scope, ...between) as { readonly id: string }[];
    if (rows.length === 0) return;
    const records = await this.#source.get(rows.map(({ id }) => id));
    this.#keep(
      records.filter((record) => record !== undefined),
      this.#stream,
    );
  }

  #keep(records: readonly CallLogRecord[], stream: CallStream): void {
    const owner = this.#ownerOf(records) ?? stream.owner;
    transaction(this.#db, () => {
      for (const record of records) this.#table.put(record, this.#counts);
      saveStream(this.#db, this.#options.scope, { ...stream, owner });
    });
    this.#stream = { ...stream, owner };
    this.#options.onProgress?.(this.#counts.received);
  }

  #ownerOf(records: readonly CallLogRecord[]): string | undefined {
    const [first] = records;
    const owner = first && /\/account\/.+(?=\/call-log\/)/.exec(first.uri)?.[0];
    const { owner: known } = this.#stream;
    if (owner !== undefined && known !== undefined && owner !== known) {
      throw new OtherCallLogError(`this copy holds the calls of ${known}, the service answered for ${owner}`);
    }
    return owner;
  }
}
