import type { CallLogFilter, CallLogRecord } from '../../../contract/call-log.ts';
import { isoWithOffset } from '../../../platform/moment.ts';
import type { CallCounts, CallStore, CallStream, PendingReading } from '../../../store/call-store.ts';

/** Reads the call log of one scope from the service. */
export interface CallSource {
  /** Yields the matching records, latest first. */
  list(filter: CallLogFilter): AsyncIterable<CallLogRecord>;
  /** The Detailed records of these ids; undefined for ids that were not found. */
  get(ids: readonly string[]): Promise<readonly (CallLogRecord | undefined)[]>;
  /** The time of the service's last reply, in milliseconds since 1970; undefined if the service sends no time. */
  now(): number | undefined;
}

export interface CallSyncOptions {
  /** `account`, or `~` for the signed-in user's own calls. */
  readonly scope: string;
  /** Start of the copy in milliseconds since 1970; undefined for all calls that the service stores. */
  readonly since?: number | undefined;
  /** Milliseconds before the last sync from which calls are read again, because some of their legs may be recorded late. */
  readonly overlap: number;
  /** Whether to read all calls again from the beginning. */
  readonly full?: boolean | undefined;
  /** The current time in milliseconds since 1970. */
  readonly now: number;
  readonly isErased: (numbers: readonly string[]) => boolean;
  /** Receives the number of records read so far. */
  readonly onProgress?: ((received: number) => void) | undefined;
}

/** The report of one sync of a scope. Times are ISO 8601 in UTC. */
export interface CallSyncReport extends CallCounts {
  readonly scope: string;
  /** Start of the period whose calls are all copied. */
  readonly from: string;
  /** End of the period whose calls are all copied. */
  readonly to: string;
  /** Whether an interrupted earlier run was completed first. */
  readonly resumed: boolean;
}

/** The error for a call log of another account or user than the one in the copy. Nothing is stored. */
export class OtherCallLogError extends Error {
  override readonly name = 'OtherCallLogError';
}

/**
 * The default start, which is before the oldest call that a service stores. Without a start the service would return
 * only one day.
 */
const beginning = Date.UTC(2000);
/** Records per transaction: the largest page size. */
const recordsAtOnce = 1000;
/** Maximum age, in milliseconds, of a call without an end that is requested again. */
const longestCall = 30 * 86_400_000;

/**
 * Copies new calls of one scope, and updates copied calls that may have changed. Each page of records is stored with
 * the position in one transaction, so that the next sync can resume after any interruption.
 * @throws {ForeignCallsError} the tables have another version.
 * @throws {OtherCallLogError} the log belongs to another account or user.
 * @throws what the source throws.
 */
export async function syncCalls(
  store: CallStore,
  source: CallSource,
  options: CallSyncOptions,
): Promise<CallSyncReport> {
  await store.prepare();
  const stored = await store.stream(options.scope);
  return new CallLogRun(store, source, options, stored).run();
}

class CallLogRun {
  readonly #store: CallStore;
  readonly #source: CallSource;
  readonly #options: CallSyncOptions;
  #counts: CallCounts = { received: 0, added: 0, changed: 0, unchanged: 0, erased: 0 };
  #stream: CallStream;

  constructor(
    store: CallStore,
    source: CallSource,
    options: CallSyncOptions,
    stored: CallStream | undefined,
  ) {
    this.#store = store;
    this.#source = source;
    this.#options = options;
    this.#stream = stored ?? {
      owner: undefined,
      dateFrom: options.since ?? beginning,
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

  /**
   * The start of the run: the overlap before the last sync. If nothing is copied or all calls are requested, the
   * start of the copy.
   */
  #start(): number {
    const { since, overlap, full } = this.#options;
    const { dateFrom, completeTo } = this.#stream;
    const isEarlier = since !== undefined && since < dateFrom;
    if (isEarlier) this.#stream = { ...this.#stream, dateFrom: since };
    if (isEarlier || full || completeTo === undefined) return this.#stream.dateFrom;
    return Math.max(dateFrom, this.#past(completeTo) - overlap);
  }

  /** Limits a time to the present. Otherwise, if the clock was ahead, future calls would count as copied. */
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
      // Only an ordered log can be resumed, because the position in an unordered log does not show which calls are missing.
      isOrdered &&= start <= last;
      last = start;
      page.push(record);
      if (page.length < recordsAtOnce) continue;
      // The position includes one second more, because the next record may have the same start time.
      if (isOrdered) to = Math.min(to, last + 1000);
      await this.#save(page, { ...this.#stream, pending: { ...pending, to } });
      page = [];
    }
    const completeTo = this.#past(Math.max(pending.target, this.#stream.completeTo ?? 0));
    const syncedAt = new Date(this.#options.now).toISOString();
    await this.#save(page, { ...this.#stream, completeTo, pending: undefined, syncedAt });
  }

  /** Requests, by id, the calls that started before `before` and were active when they were copied. */
  async #readUnfinished(before: number): Promise<void> {
    const { scope, now } = this.#options;
    const ids = await this.#store.unfinished(scope, now - longestCall, before);
    if (ids.length === 0) return;
    const records = await this.#source.get(ids);
    await this.#save(
      records.filter((record) => record !== undefined),
      this.#stream,
    );
  }

  async #save(records: readonly CallLogRecord[], position: CallStream): Promise<void> {
    const { scope, isErased } = this.#options;
    const stream = { ...position, owner: this.#ownerOf(records) ?? position.owner };
    const page = await this.#store.apply(scope, records, stream, isErased);
    this.#counts = sumOf(this.#counts, page);
    this.#stream = stream;
    this.#options.onProgress?.(this.#counts.received);
  }

  #ownerOf(records: readonly CallLogRecord[]): string | undefined {
    const [first] = records;
    const owner = first && /\/account\/.+(?=\/call-log\/)/.exec(first.uri)?.[0];
    const { owner: known } = this.#stream;
    if (owner !== undefined && known !== undefined && owner !== known) {
      throw new OtherCallLogError(
        `this copy has the calls of ${known}, but the service returned those of ${owner}`,
      );
    }
    return owner;
  }
}

function sumOf(a: CallCounts, b: CallCounts): CallCounts {
  return {
    received: a.received + b.received,
    added: a.added + b.added,
    changed: a.changed + b.changed,
    unchanged: a.unchanged + b.unchanged,
    erased: a.erased + b.erased,
  };
}
