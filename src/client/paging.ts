import { isRejectedByService } from '../errors/service-codes.ts';
import { ReplyError } from '../errors/service.ts';
import type { List } from '../contract/common.ts';
import { eitherSignal } from '../platform/either-signal.ts';
import { isJsonObject } from '../platform/json.ts';
import { normalPath } from '../platform/request-path.ts';
import type { Call, RequestOptions } from './call.ts';
import { Deletions } from './deletions.ts';
import { SeenPages } from './seen-pages.ts';
import type { Transport } from './transport.ts';

/** Maximum page size of the service. */
export const largestPage = 1000;

export interface PageOptions extends RequestOptions {
  /** Number of records per page; the service reduces it to its maximum. */
  readonly perPage?: number | undefined;
  /** Maximum number of records; 0 or less for none, without a request. */
  readonly limit?: number | undefined;
}

/** How a resource reads its list. */
export interface ListReading {
  /**
   * Whether to request the page after the next one, too, while the next one is read. Only for lists whose
   * replies contain the number of pages, and whose records commands usually read completely.
   */
  readonly readsAhead?: boolean;
  /** Called with the total of each page that reports one, in the order of the pages. */
  readonly onTotal?: (total: number) => void;
  /**
   * Whether pages are read again if records were deleted before the next page, so that `pages` skips none. Only totals
   * show deletions.
   */
  readonly repeatsAfterDeletion?: boolean;
  /**
   * Returns the list after the records of a page. Used instead of the page number if replies have no totals. The new list
   * may begin with records of the page. Undefined if only the page number can continue the list.
   */
  readonly listAfter?: ((records: readonly unknown[]) => LaterList | undefined) | undefined;
}

/** A list that begins where another list was read to. */
export interface LaterList {
  readonly query: Call['query'];
  /** Whether the service has used the query. If not, the page number continues the first list. */
  isUsed(records: readonly unknown[]): boolean;
}

/**
 * Yields the records of a paged list, without needing `navigation` or totals. The list ends at a short page, at a page
 * that repeats an earlier one by mistake (`SeenPages`), or if `navigation` names a page that was read already. If all
 * pages are the same although more records must follow, the service ignores the page number, and the list fails. Only the
 * number of the page is taken from its address, so that a reply cannot redirect the token. Records that were already
 * yielded are dropped, because pages shift while other clients write. The next page is requested while the caller
 * processes the current one.
 * With `readsAhead`, at most two pages are requested at the same time. Their records are yielded in the order of the
 * list. A page that was read ahead is dropped if the list ends before it, or if `navigation` names another page. If a
 * reply does not show whether another page exists, the next page is requested, and a 400 or 404 of the service ends the
 * list.
 */
export async function* pages<T>(
  transport: Transport,
  call: Call,
  options: PageOptions = {},
  reading: ListReading = {},
): AsyncGenerator<T, void, undefined> {
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  if (limit <= 0) return;
  const perPage = Math.min(options.perPage ?? largestPage, limit, largestPage);
  const ended = new AbortController();
  const { signal, end } = eitherSignal(ended.signal, options.signal);
  const sending = { ...options, signal };
  const requests = new PageRequests(({ page, isGuess, query }) => {
    const reply = transport.send<List<T>>(pageCall(call, { ...query, page, perPage }), sending);
    return isGuess ? reply.catch((error: unknown) => emptyIfRejected<T>(error, call)) : reply;
  });
  const seen = new SeenPages(call, reading.repeatsAfterDeletion);
  const deletions = new Deletions(call, reading.repeatsAfterDeletion);
  let given = 0;
  let current: Following | undefined = { page: 1, isGuess: false, received: 0 };
  let next = requests.take(current);
  try {
    while (current) {
      const place: Following = current;
      const { page } = place;
      const list: List<T> = await next;
      reportTotal(list, reading);
      const earlier = deletions.pageBefore(list, page, place.received);
      const other =
        earlier === undefined
          ? numberedInstead(list, place)
          : { page: earlier, isGuess: false, received: seen.receivedBefore(earlier) };
      if (other) {
        current = other;
        next = requests.take(other);
        continue;
      }
      const records = recordsOf(list, call);
      const { fresh, isEnd, isDoubtful } = seen.add(list, records, {
        ...place,
        isExpected: isExpected(list, place, perPage),
      });
      const room = limit - given - fresh.length;
      if (isDoubtful) current = { ...place, page: page + 1, isGuess: true };
      else current = isEnd || room <= 0 ? undefined : followingPage(list, { ...place, perPage }, reading);
      if (current) {
        next = requests.take(current);
        if (reading.readsAhead && current.page === page + 1)
          requests.readAhead(pageAfter(list, current.page, room - perPage));
      }
      const wanted = fresh.slice(0, limit - given);
      given += wanted.length;
      yield* wanted;
    }
  } finally {
    ended.abort();
    end();
  }
}

function reportTotal<T>({ paging }: List<T>, reading: ListReading | undefined): void {
  if (paging?.totalElements !== undefined) reading?.onTotal?.(paging.totalElements);
}

/** Returns the numbered page to read in place of this one if the service ignored the query; otherwise undefined. */
function numberedInstead<T>({ records }: List<T>, { unlessUsed }: Following): Following | undefined {
  return unlessUsed?.later.isUsed(records) ? undefined : unlessUsed?.numbered;
}

/** How far a list has been read. */
interface Progress {
  readonly page: number;
  /** The requested page size. */
  readonly perPage: number;
  /** Number of records in the replies, including this page. */
  readonly received: number;
}

/** A page to request. */
interface Following {
  readonly page: number;
  /** Whether no reply shows that the page exists. */
  readonly isGuess: boolean;
  /** Number of records in the replies before this page. */
  readonly received: number;
  /** Parameters of the list that replace those of the call. */
  readonly query?: Call['query'];
  /** The page to request if the service ignored `query`. */
  readonly unlessUsed?: { readonly later: LaterList; readonly numbered: Following };
}

/** Returns the page after this one; undefined if the list ends, or `navigation` names an earlier page. */
function followingPage<T>(
  list: List<T>,
  place: Following & Pick<Progress, 'perPage'>,
  reading: ListReading | undefined,
): Following | undefined {
  const progress = { ...place, received: place.received + list.records.length };
  const page = namedPage(list) ?? progress.page + 1;
  const isEnd = isLast(list, progress);
  if (page <= progress.page || isEnd) return undefined;
  const isGuess = isEnd === undefined;
  const numbered = { page, isGuess, received: progress.received, query: progress.query };
  const hasTotal = list.paging?.totalElements !== undefined;
  const later = hasTotal ? undefined : reading?.listAfter?.(list.records);
  return later
    ? { page: 1, isGuess, received: 0, query: later.query, unlessUsed: { later, numbered } }
    : numbered;
}

/** Returns the number of the page after `page`; undefined if the list does not name it or no records of it are wanted. */
function pageAfter<T>({ paging }: List<T>, page: number, room: number): number | undefined {
  return room > 0 && page < (paging?.totalPages ?? 0) ? page + 1 : undefined;
}

/** Sends the requests of a list, and keeps one page that was requested ahead. */
class PageRequests<T> {
  readonly #send: (page: Following) => Promise<List<T>>;
  #ahead: { readonly page: number; readonly list: Promise<List<T>> } | undefined;

  constructor(send: (page: Following) => Promise<List<T>>) {
    this.#send = send;
  }

  /** Returns a page, which may have been requested ahead. Any other page that was requested ahead is dropped. */
  take(following: Following): Promise<List<T>> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    return ahead?.page === following.page ? ahead.list : this.#request(following);
  }

  readAhead(page: number | undefined): void {
    if (page !== undefined)
      this.#ahead = { page, list: this.#request({ page, isGuess: false, received: 0 }) };
  }

  #request(following: Following): Promise<List<T>> {
    const list = this.#send(following);
    // If the caller stops early, no other code handles an error of the page that is being requested.
    list.catch(() => undefined);
    return list;
  }
}

/** Returns an empty page if the service rejected the request of a page. Any other error, such as of a sign-in, is thrown. */
function emptyIfRejected<T>(error: unknown, call: Call): List<T> {
  const isRejected = isRejectedByService(error, 400) || isRejectedByService(error, 404);
  if (isRejected && error.request.path === normalPath(call.path)) return { records: [] };
  throw error;
}

/** Returns the call of one page. A search by POST has page and page size in its body (AUDIT-2). */
function pageCall(call: Call, position: Call['query']): Call {
  if (call.method === 'GET') return { ...call, query: { ...call.query, ...position } };
  return { ...call, body: { ...(call.body as object | undefined), ...position } };
}

/** Returns the page number in the address of the next page; undefined if the reply has no such address. */
function namedPage<T>({ navigation }: List<T>): number | undefined {
  const uri: unknown = navigation?.nextPage?.uri;
  const number = typeof uri === 'string' ? /[?&]page=([1-9]\d{0,8})(?:[&#]|$)/.exec(uri)?.[1] : undefined;
  return number === undefined ? undefined : Number(number);
}

/**
 * Whether a page is the last one; undefined if the reply does not show it. The service may reduce the page size, so a page
 * that is shorter than requested is the last one only if the reply names the size. A full page may be the last one, too.
 */
function isLast<T>(list: List<T>, { page, perPage, received }: Progress): boolean | undefined {
  const { paging, navigation, records } = list;
  if (paging?.totalPages !== undefined) return page >= paging.totalPages;
  if (navigation?.nextPage) return false;
  const total = paging?.totalElements;
  const size = paging?.perPage ?? (total === undefined ? otherSize(list, perPage) : undefined);
  if (size !== undefined && records.length < size) return true;
  return total === undefined ? undefined : received >= total;
}

/** Whether a page must have other records than the page before: the page before promised it, or pages are full. */
function isExpected<T>(list: List<T>, { isGuess }: Following, perPage: number): boolean {
  const size = list.paging?.perPage ?? namedSize(list) ?? perPage;
  return !isGuess || list.records.length === size;
}

/** Returns the size of a page without `paging.perPage`, if its address or navigation shows the size. */
function otherSize<T>(list: List<T>, perPage: number): number | undefined {
  return namedSize(list) ?? (list.navigation ? perPage : undefined);
}

/** Returns the page size in the address of the page; undefined if the reply has no such address. */
function namedSize<T>({ uri }: List<T>): number | undefined {
  const size = typeof uri === 'string' ? /[?&]perPage=(\d{1,9})(?:[&#]|$)/.exec(uri)?.[1] : undefined;
  return size === undefined ? undefined : Number(size);
}

/**
 * Returns the records of a page, or of a list without pages.
 * @throws {ReplyError} for a reply that is not a list.
 */
export function recordsOf<T>(list: List<T>, call: Call): readonly T[] {
  const value: unknown = list;
  if (isJsonObject(value) && Array.isArray(value['records'])) return list.records;
  throw new ReplyError(200, call, 'a body that is not a list of records');
}
