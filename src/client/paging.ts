import { ReplyError } from '../errors/service.ts';
import type { List } from '../contract/common.ts';
import { isJsonObject, stringifyJson } from '../platform/json.ts';
import type { Call, RequestOptions } from './call.ts';
import type { Transport } from './transport.ts';

/** Pages whose records are remembered: what shifts while others write comes again soon, and a million ids would fill the memory. */
const pagesRemembered = 4;
/** The largest page the service gives: fewest requests for a whole list. */
const largestPage = 1000;

export interface PageOptions extends RequestOptions {
  /** Records a page; the service clamps it. */
  readonly perPage?: number | undefined;
  /** Stops after this many records. */
  readonly limit?: number | undefined;
}

/**
 * Reads a paged list record by record. Works without `navigation` and without totals: it ends at a short page and at one that repeats any
 * page before it, whatever that one names as its next page. Records whose id it gave already are dropped, because pages shift while others
 * write. While one page is consumed the next is under way.
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
    const list = transport.send<List<T>>(
      { ...call, query: { ...call.query, page, perPage } },
      { ...options, signal },
    );
    // Whoever stops reading early never looks at the page under way.
    list.catch(() => undefined);
    return list;
  };
  const seen = new Set<string>();
  let recent: ReadonlySet<string>[] = [];
  let given = 0;
  let next: Promise<List<T>> | undefined = fetchPage(1);
  try {
    for (let page = 1; next; page += 1) {
      const list: List<T> = await next;
      const records = recordsOf(list, call);
      const mark = markOf(records);
      if (seen.has(mark)) return;
      seen.add(mark);
      const fresh = records.filter((record) => !recent.some((keys) => keys.has(keyOf(record))));
      const isDone = fresh.length === 0 || isLast(list, page, perPage) || given + fresh.length >= limit;
      next = isDone ? undefined : fetchPage(page + 1);
      recent = [new Set(fresh.map(keyOf)), ...recent].slice(0, pagesRemembered);
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

/** Tells a page from the others of its list in a few bytes, so that the marks of all pages fit into memory. */
function markOf(records: readonly unknown[]): string {
  return `${records.length} ${keyOf(records[0])} ${keyOf(records.at(-1))}`;
}

/** A record without id, as in some dictionaries, is told apart by all it holds. */
function keyOf(record: unknown): string {
  const id = typeof record === 'object' && record !== null && 'id' in record ? record.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : stringifyJson(record);
}

function isLast<T>(list: List<T>, page: number, asked: number): boolean {
  const { paging } = list;
  if (paging?.totalPages !== undefined) return page >= paging.totalPages;
  if (list.navigation?.nextPage) return false;
  return list.records.length < (paging?.perPage ?? asked);
}

/**
 * The records of one page or of a list that is not paged: what the service answers is not what the types say before it was looked at.
 * @throws {ReplyError} for something that is no list.
 */
export function recordsOf<T>(list: List<T>, call: Call): readonly T[] {
  const value: unknown = list;
  if (isJsonObject(value) && Array.isArray(value['records'])) return list.records;
  throw new ReplyError(200, call, 'something that is no list of records');
}
