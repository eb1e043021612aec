import { dayMilliseconds } from '../../../platform/day.ts';
import type { CallLogFilter, CallLogRecord } from '../../../contract/call-log.ts';
import { earliestData } from '../../../contract/limits.ts';
import { isoWithOffset } from '../../../platform/moment.ts';
import type { CallCounts, CallStore, CallStream, PendingReading } from '../../../store/call-store.ts';
import { PositionChangedError } from '../overtaken.ts';
import { rowOfStream } from './stream-row.ts';

/** The calls that a sync of the service returned. */
export interface CallChanges {
  readonly records: readonly CallLogRecord[];
  /** The token from which the next sync continues. */
  readonly token: string;
  /** Whether the reply has the maximum number of records, so that further changes may be missing. */
  readonly isCut?: boolean;
}

/** The sync of the service with tokens (CALL-25), which returns changed calls only. */
export interface CallSyncSource {
  /** Returns the calls since a time, with a token. */
  start(dateFrom: string): Promise<CallChanges>;
  /** Returns the calls that changed since a token; undefined if the service requires a full sync. */
  since(token: string): Promise<CallChanges | undefined>;
}

/** Reads the call log of one scope from the service. */
export interface CallSource {
  /** Yields the matching records, latest first. */
  list(filter: CallLogFilter): AsyncIterable<CallLogRecord>;
  /** Returns the Detailed records of these IDs; undefined for IDs that were not found. */
  get(ids: readonly string[]): Promise<readonly (CallLogRecord | undefined)[]>;
  /**
   * Returns the time of the service's last reply, in milliseconds since 1970; undefined if the service sends no time.
   */
  now(): number | undefined;
  /** The sync of the service; undefined if the scope has none. */
  readonly sync?: CallSyncSource | undefined;
}

export interface CallSyncOptions {
  /** `account`, or `~` for the signed-in user's own calls. */
  readonly scope: string;
  /** Start of the copy in milliseconds since 1970; undefined for all calls that the service stores. */
  readonly since?: number | undefined;
  /**
   * Length in milliseconds of the period before the last sync whose calls are read again, because some of their legs may
   * be recorded late.
   */
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
  /** `ISync` if the service returned changed calls only, `FSync` if ucctl read the list of calls. */
  readonly syncType: 'FSync' | 'ISync';
}

/** The error for a call log that belongs to a different account or user than the copy. Nothing is stored. */
export class OtherCallLogError extends Error {
  override readonly name = 'OtherCallLogError';
}

/** Records per transaction: the maximum page size. */
const recordsAtOnce = 1000;
/** Maximum age, in milliseconds, of a call without an end that is requested again. */
const longestCall = 30 * dayMilliseconds;
/**
 * Maximum number of attempts in sequence that store nothing because the position changed. If two processes sync a scope,
 * one of them may always store a page before the other.
 */
const mostAttempts = 100;
const noCalls: CallCounts = { received: 0, added: 0, changed: 0, unchanged: 0, erased: 0 };

/**
 * Copies new calls of one scope, and updates copied calls that may have changed. Each page of records is stored with
 * the position in one transaction, so that the next sync can resume after any interruption. If the position in the store
 * changed, because the server lost pages in a crash or another process synced the scope, the sync continues from there.
 * @throws {PositionChangedError} the position changed several times in sequence.
 * @throws {ForeignCallsError} the tables have another version.
 * @throws {OtherCallLogError} the log belongs to another account or user.
 * @throws the errors of the source.
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
  #counts: CallCounts = noCalls;
  #stream: CallStream;
  /** The counts at each position, so that the report excludes pages that the server lost. */
  readonly #countsAt = new Map<string, CallCounts>();
  #isFull: boolean;
  #attempts = 0;

  constructor(
    store: CallStore,
    source: CallSource,
    options: CallSyncOptions,
    stored: CallStream | undefined,
  ) {
    this.#store = store;
    this.#source = source;
    this.#options = options;
    this.#isFull = options.full ?? false;
    this.#stream = stored ?? this.#beginning();
    this.#countsAt.set(JSON.stringify(rowOfStream(this.#stream)), noCalls);
  }

  async run(): Promise<CallSyncReport> {
    const { scope, now } = this.#options;
    const isResumed = this.#stream.pending !== undefined;
    let syncType: CallSyncReport['syncType'] | undefined;
    while (syncType === undefined) syncType = await this.#attempt();
    const { dateFrom } = this.#stream;
    return {
      scope,
      from: new Date(dateFrom).toISOString(),
      to: new Date(now).toISOString(),
      resumed: isResumed,
      syncType,
      ...this.#counts,
    };
  }

  #beginning(): CallStream {
    return {
      owner: undefined,
      dateFrom: this.#options.since ?? earliestData,
      completeTo: undefined,
      pending: undefined,
      syncedAt: undefined,
    };
  }

  /** Syncs from the position. If the position in the store changed, returns undefined, and takes this position. */
  async #attempt(): Promise<CallSyncReport['syncType'] | undefined> {
    try {
      return await this.#sync();
    } catch (error) {
      this.#attempts += 1;
      if (!(error instanceof PositionChangedError) || this.#attempts === mostAttempts) throw error;
      const { scope, now } = this.#options;
      this.#stream = (await this.#store.stream(scope)) ?? this.#beginning();
      this.#counts = this.#countsAt.get(JSON.stringify(rowOfStream(this.#stream))) ?? this.#counts;
      // The list of this run continues, so it is not read a second time.
      if (this.#stream.pending?.target === now) this.#isFull = false;
      return undefined;
    }
  }

  async #sync(): Promise<CallSyncReport['syncType']> {
    if (this.#stream.pending) await this.#read(this.#stream.pending);
    const isContinuation = this.#isContinuation();
    const from = this.#start(isContinuation);
    const syncType = isContinuation ? await this.#readChanges() : 'FSync';
    if (syncType === 'FSync') await this.#readList(from);
    await this.#readUnfinished(from);
    return syncType;
  }

  /** Whether the mirror contains all calls from `dateFrom` to the last sync, so that only later changes are missing. */
  #isContinuation(): boolean {
    const { since } = this.#options;
    const { dateFrom, completeTo } = this.#stream;
    return completeTo !== undefined && !this.#isFull && (since === undefined || since >= dateFrom);
  }

  /** Returns the earliest call time that this run reads: the time of the last sync minus the overlap, or the start of the copy. */
  #start(isContinuation: boolean): number {
    const { since = Number.POSITIVE_INFINITY, overlap } = this.#options;
    const { completeTo = 0 } = this.#stream;
    const dateFrom = Math.min(since, this.#stream.dateFrom);
    this.#stream = { ...this.#stream, dateFrom };
    return isContinuation ? Math.max(dateFrom, this.#past(completeTo) - overlap) : dateFrom;
  }

  /** Limits a time to the current time. Otherwise, future calls would count as copied if the clock was ahead. */
  #past(time: number): number {
    return Math.min(time, this.#source.now() ?? this.#options.now);
  }

  /** Stores the changes since the token, if the service can continue from it. Returns `FSync` if the list must be read, too. */
  async #readChanges(): Promise<CallSyncReport['syncType']> {
    const { now } = this.#options;
    const { completeTo = 0, syncToken } = this.#stream;
    const changes = syncToken === undefined ? undefined : await this.#source.sync?.since(syncToken);
    if (!changes) return 'FSync';
    if (changes.isCut) {
      // Some of these calls may be older than the period of the list.
      await this.#save(changes.records, this.#stream);
      return 'FSync';
    }
    await this.#save(changes.records, {
      ...this.#stream,
      syncToken: changes.token,
      completeTo: this.#past(Math.max(now, completeTo)),
      syncedAt: new Date(now).toISOString(),
    });
    return 'ISync';
  }

  /** Reads the list of calls. The token is requested first, so that the next sync includes calls that end meanwhile. */
  async #readList(from: number): Promise<void> {
    const { now, overlap } = this.#options;
    const begun = await this.#source.sync?.start(isoWithOffset(now - overlap));
    await this.#read({ from, to: now, target: now }, begun);
  }

  async #read(pending: PendingReading, begun?: CallChanges): Promise<void> {
    const dates = { dateFrom: isoWithOffset(pending.from), dateTo: isoWithOffset(pending.to) };
    let { to } = pending;
    let isOrdered = true;
    let last = Number.POSITIVE_INFINITY;
    let page: CallLogRecord[] = [];
    for await (const record of this.#source.list({ view: 'Detailed', ...dates })) {
      const start = Date.parse(record.startTime);
      // Only an ordered log can be resumed, because the position in an unordered log does not show which
      // calls are missing.
      isOrdered &&= start <= last;
      last = start;
      page.push(record);
      if (page.length < recordsAtOnce) continue;
      // The position includes one more second, because the next record may have the same start time.
      if (isOrdered) to = Math.min(to, last + 1000);
      await this.#save(page, { ...this.#stream, pending: { ...pending, to } });
      page = [];
    }
    const completeTo = this.#past(Math.max(pending.target, this.#stream.completeTo ?? 0));
    const syncedAt = new Date(this.#options.now).toISOString();
    // If the clock of this machine is behind, the list ends before the token begins.
    const later = begun?.records.filter(({ startTime }) => Date.parse(startTime) > pending.to) ?? [];
    await this.#save([...page, ...later], {
      ...this.#stream,
      completeTo,
      pending: undefined,
      syncedAt,
      ...(begun && { syncToken: begun.token }),
    });
  }

  /** Requests, by ID, the calls that started before `before` and were active when they were copied. */
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
    this.#countsAt.set(JSON.stringify(rowOfStream(stream)), this.#counts);
    this.#attempts = 0;
    this.#options.onProgress?.(this.#counts.received);
  }

  #ownerOf(records: readonly CallLogRecord[]): string | undefined {
    const [first] = records;
    const owner = first && /\/account\/.+(?=\/call-log\/)/.exec(first.uri)?.[0];
    const { owner: known } = this.#stream;
    if (owner !== undefined && known !== undefined && owner !== known) {
      throw new OtherCallLogError(
        `the local call database has the calls of ${known}, but the service returned the calls of ${owner}`,
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
