import type { CallLogRecord } from '../contract/call-log.ts';
import type { Rows } from './message-store.ts';

/** The position of one scope in the call log. Times are milliseconds since 1970. */
export interface CallStream {
  /** The account or extension path in the URLs of the records; undefined before the first record. */
  readonly owner: string | undefined;
  readonly dateFrom: number;
  /** End of the period from `dateFrom` whose calls are all copied; undefined before the first complete run. */
  readonly completeTo: number | undefined;
  readonly pending: PendingReading | undefined;
  readonly syncedAt: string | undefined;
  /** Token of the service's sync, from which the next sync continues; undefined if the scope has no such sync. */
  readonly syncToken?: string | undefined;
}

/**
 * An unfinished run. A run reads the latest calls first, so all calls after `to` are already copied. When it is
 * complete, all calls up to `target` are copied.
 */
export interface PendingReading {
  readonly from: number;
  readonly to: number;
  readonly target: number;
}

/** Counts of the records of one run. */
export interface CallCounts {
  readonly received: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Number of records that were skipped because one of their numbers was erased. */
  readonly erased: number;
}

/** The copied calls of one scope. Times are ISO 8601 in UTC. */
export interface CopiedCalls {
  readonly scope: string;
  readonly calls: number;
  /** Start of the copied period; null if the copy has all calls that the service stores. */
  readonly dateFrom: string | null;
  /** Time of the last complete sync; null before the first one. */
  readonly syncTime: string | null;
  /** Seconds since the last complete sync; null before the first one. */
  readonly lagSeconds: number | null;
}

/** The data of an extension that statistics need. */
export interface KnownExtension {
  readonly id: string;
  readonly extensionNumber?: string | undefined;
  readonly name: string;
  readonly type: string;
}

/** Selects copied calls. Times are milliseconds since 1970; both ends are included. */
export interface CallFilter {
  readonly scope: string;
  readonly from: number;
  readonly to: number;
  readonly direction?: readonly string[];
  readonly type?: readonly string[];
}

/** The store of copied calls. */
export interface CallStore {
  /** Creates missing tables. @throws {ForeignCallsError} if the tables have a different version. */
  prepare(): Promise<void>;
  /** Returns the position of a scope; undefined for a scope that was never copied. */
  stream(scope: string): Promise<CallStream | undefined>;
  /**
   * Stores records and the position after them in one transaction.
   * @throws {PositionChangedError} if the position of the scope is not the one that this object read or stored last.
   * Nothing is stored.
   */
  apply(
    scope: string,
    records: readonly CallLogRecord[],
    stream: CallStream,
    isErased: (numbers: readonly string[]) => boolean,
  ): Promise<CallCounts>;
  /** IDs of calls in a time range that were active when they were copied. */
  unfinished(scope: string, from: number, before: number): Promise<readonly string[]>;
  /** Returns the unchanged records of the service, latest first. */
  calls(filter: CallFilter): Rows<CallLogRecord>;
  /** Stores the names of extensions. Extensions that no longer exist remain stored. */
  saveExtensions(extensions: readonly KnownExtension[]): Promise<void>;
  extensions(): Promise<readonly KnownExtension[]>;
  /** Returns all scopes that were copied, with the number of their calls. */
  status(now: number): Promise<readonly CopiedCalls[]>;
  /** Returns the number of call records with this number, as caller, callee or in a leg. */
  callsOf(number: string): Promise<number>;
}
