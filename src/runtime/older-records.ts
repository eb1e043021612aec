/** The members of the query of a sync that `OlderRecords` needs. */
interface SyncQuery {
  readonly syncType: string;
  readonly dateTo?: string | undefined;
  readonly recordCount?: number | undefined;
}

/** One reply of a sync with the number of its records. */
export interface SyncPart {
  readonly info: { readonly olderRecordsExist?: boolean | undefined };
  readonly received: number;
  /** Time of the oldest record in milliseconds since 1970; `Infinity` if no record has a time. */
  readonly oldest: number;
}

const second = 1000;

/**
 * Determines the requests for the older records of a full sync. If a reply reports older records (SYNC-9), the service
 * may have returned only the newest records, or it may mean records before `dateFrom`. Requests with an end show which
 * case applies.
 */
export class OlderRecords<Query extends SyncQuery> {
  readonly #request: Query;
  /** Whether the sync may need further requests: a full sync without a number of records. */
  readonly isPossible: boolean;
  #oldest = Infinity;
  #end = Infinity;
  /** The largest number of records in a reply. */
  #most = 0;
  #isCut = false;

  constructor(request: Query) {
    this.#request = request;
    this.isPossible = request.syncType === 'FSync' && request.recordCount === undefined;
  }

  /** Whether the service may have further records that it did not return. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Returns the request that follows a reply; undefined if there is none. */
  next({ info, received, oldest }: SyncPart): Query | undefined {
    const { recordCount } = this.#request;
    // The service may have a lower limit than the number in the request.
    if (recordCount !== undefined)
      this.#isCut = received >= recordCount || (received > 0 && info.olderRecordsExist === true);
    if (!this.isPossible || !info.olderRecordsExist || received === 0) return undefined;
    const isShorter = received < this.#most;
    this.#most = Math.max(this.#most, received);
    if (oldest < this.#oldest) {
      this.#oldest = oldest;
      // Records of the same second may be missing, and the service may compare only seconds or exclude `dateTo`.
      this.#end = (Math.floor(oldest / second) + 1) * second;
    } else {
      // A service that returns only the newest records would have returned more of them.
      if (isShorter) return undefined;
      // More records of one second than a reply can have, or a service that ignores `dateTo`.
      this.#isCut = received > 1 || this.#end <= this.#oldest;
      this.#end = Math.floor(this.#oldest / second) * second - 1;
    }
    return this.#isCut ? undefined : { ...this.#request, dateTo: new Date(this.#end).toISOString() };
  }
}
