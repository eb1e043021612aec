import type { ErrorClass } from './error-class.ts';
import type { Journal, JournalItem, Receipt } from './journal.ts';

/** The reply to a request that the service accepted. */
export interface SendReceipt extends Receipt {
  /** The reasons why the service rejected some items of the request, by `seq` of the item. */
  readonly rejected?: ReadonlyMap<number, Receipt>;
}

/** The functions that send the items of one kind of run and read them back. */
export interface BulkWork<P> {
  /** Makes all of these changes in one request. @throws the errors of the client. */
  send(items: readonly JournalItem<P>[]): Promise<SendReceipt>;
  /** The group of an item. A request contains only items of one group. By default, all items are in one group. */
  readonly groupOf?: (item: JournalItem<P>) => string;
  /**
   * Reads back which of these changes are in effect, by `seq` of the item. Absent for changes that cannot be read back
   * and must not be repeated, such as a text message. In that case each request has one item, unless `isShared` is set,
   * and an item whose reply was lost stays unknown.
   */
  readonly observe?: (items: readonly JournalItem<P>[]) => Promise<ReadonlySet<number>>;
  /**
   * Whether items that cannot be read back share requests, such as the texts of a batch. They also share an unknown
   * outcome.
   */
  readonly isShared?: boolean;
  /** Classifies errors that only this kind of work knows. Undefined leaves an error to `classifyError`. */
  readonly classify?: (error: unknown) => ErrorClass | undefined;
  /** Whether the client retries these requests, as often as the user allows. If so, the engine does not retry them. */
  readonly isRetriedByClient?: boolean;
  /**
   * The items that the service named in its error, if any. These items reduce the requests that are needed to find the
   * offending item.
   */
  readonly findOffenders?: (error: unknown, items: readonly JournalItem<P>[]) => readonly JournalItem<P>[];
}

export interface BulkLimits {
  /** Maximum number of items in one request. */
  readonly maxItems: number;
  /** Number of concurrent requests. */
  readonly concurrency: number;
  /** The run stops when more items than this have failed. */
  readonly maxErrors: number;
  /** Maximum number of retries after an unknown outcome. Each retry has only the changes that are not in effect. */
  readonly retries: number;
}

export interface BulkProgress {
  readonly done: number;
  readonly failed: number;
  readonly total: number;
}

export interface BulkSettings<P> extends BulkLimits {
  readonly journal: Journal;
  readonly run: string;
  readonly work: BulkWork<P>;
  /** After an abort the engine finishes and records the requests under way and sends no more. */
  readonly signal: AbortSignal;
  /** Waits; rejects when the signal aborts. */
  sleep(milliseconds: number): Promise<void>;
  /** Called before the request for these items, which waits until it has ended. An error stops the run. */
  readonly beforeSend?: (seqs: readonly number[]) => Promise<void>;
  readonly onProgress?: (progress: BulkProgress) => void;
}

export interface BulkEnd {
  /** The reason why some items were not sent; undefined when the run processed all of them. */
  readonly stopped: 'interrupted' | 'max-errors' | 'service' | undefined;
  /** The last error of the service or the network, or of `beforeSend`. */
  readonly error: unknown;
}
