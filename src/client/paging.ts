import { ReplyError } from '../errors/service.ts';
import type { List } from '../contract/common.ts';
import { isJsonObject, stringifyJson } from '../platform/json.ts';
import type { Call, RequestOptions } from './call.ts';
import type { Transport } from './transport.ts';

/**
 * Number of pages whose IDs are stored to drop duplicates. Shifted records reappear on the next few pages; the IDs of
 * all pages of a long list would fill the memory.
 */
const recentPages = 4;
/** Maximum page size of the service. */
export const largestPage = 1000;

export interface PageOptions extends RequestOptions {
  /** Number of records per page; the service reduces it to its maximum. */
  readonly perPage?: number | undefined;
  /** Maximum number of records. */
  readonly limit?: number | undefined;
}

/**
 * Yields the records of a paged list, without needing `navigation` or totals. The list ends at a short page, at a page
 * that repeats an earlier one, or if `navigation` names a page that was read already. Only the number of the page is
 * taken from its address, so that a reply cannot redirect the token. Records that were already yielded are dropped,
 * because pages shift while other clients write. The next page is requested while the caller processes the current one.
 */
export async function* pages<T>(
  transport: Transport,
  call: Call,
  options: PageOptions = {},
): AsyncGenerator<T, void, undefined> {
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  const perPage = Math.min(options.perPage ?? largestPage, limit, largestPage);
  const ended = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, ended.signal]) : ended.signal;
  const fetchPage = (page: number): Promise<List<T>> => {
    const list = transport.send<List<T>>(pageCall(call, { page, perPage }), { ...options, signal });
    // If the caller stops early, no other code handles an error of the page that is being requested.
    list.catch(() => undefined);
    return list;
  };
  const seen = new Set<string>();
  let recent: ReadonlySet<string>[] = [];
  let given = 0;
  let next: Promise<List<T>> | undefined = fetchPage(1);
  try {
    for (let page = 1; next;) {
      const list: List<T> = await next;
      const records = recordsOf(list, call);
      const mark = markOf(records);
      if (seen.has(mark)) return;
      seen.add(mark);
      const fresh = records.filter((record) => !recent.some((keys) => keys.has(keyOf(record))));
      const following = namedPage(list) ?? page + 1;
      const isDone =
        fresh.length === 0 ||
        following <= page ||
        isLast(list, page, perPage) ||
        given + fresh.length >= limit;
      next = isDone ? undefined : fetchPage(following);
      page = following;
      recent = [new Set(fresh.map(keyOf)), ...recent].slice(0, recentPages);
      for (const record of fresh) {
        if (given >= limit) return;
        given += 1;
        yield record;
      }
    }
  } finally {
    ended.abort();
  }
}

/** Returns the call of one page. A search by POST has page and page size in its body (AUDIT-2). */
function pageCall(call: Call, position: { readonly page: number; readonly perPage: number }): Call {
  if (call.method === 'GET') return { ...call, query: { ...call.query, ...position } };
  return { ...call, body: { ...(call.body as object | undefined), ...position } };
}

/** Returns a short mark of a page of a list, so that the marks of all pages fit into memory. */
function markOf(records: readonly unknown[]): string {
  return `${records.length} ${keyOf(records[0])} ${keyOf(records.at(-1))}`;
}

/** Identifies a record by its ID, or by its whole content if it has no ID, as in some dictionaries. */
function keyOf(record: unknown): string {
  const id = typeof record === 'object' && record !== null && 'id' in record ? record.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : stringifyJson(record);
}

/** Returns the page number in the address of the next page; undefined if the reply has no such address. */
function namedPage<T>({ navigation }: List<T>): number | undefined {
  const uri: unknown = navigation?.nextPage?.uri;
  const number = typeof uri === 'string' ? /[?&]page=([1-9]\d{0,8})(?:[&#]|$)/.exec(uri)?.[1] : undefined;
  return number === undefined ? undefined : Number(number);
}

function isLast<T>(list: List<T>, page: number, asked: number): boolean {
  const { paging } = list;
  if (paging?.totalPages !== undefined) return page >= paging.totalPages;
  if (list.navigation?.nextPage) return false;
  return list.records.length < (paging?.perPage ?? asked);
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
