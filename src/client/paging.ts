import type { List } from '../contract/common.ts';
import type { Call, RequestOptions, Transport } from './transport.ts';

/** The largest page the service gives: fewest requests for a whole list. */
const largestPage = 1000;

export interface PageOptions extends RequestOptions {
  /** Records a page; the service clamps it. */
  readonly perPage?: number | undefined;
  /** Stops after this many records. */
  readonly limit?: number | undefined;
}

/**
 * Reads a paged list record by record. Works without `navigation` and without totals: it ends at a short or a repeated page, and drops records
 * whose id it gave already, because pages shift while others write (facts 1.1, L37).
 */
export async function* pages<T extends { readonly id: string | number }>(
  transport: Transport,
  call: Call,
  options: PageOptions = {},
): AsyncGenerator<T, void, undefined> {
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  const perPage = Math.min(options.perPage ?? largestPage, limit, largestPage);
  const seen = new Set<string>();
  for (let page = 1; seen.size < limit; page += 1) {
    const list = await transport.send<List<T>>({ ...call, query: { ...call.query, page, perPage } }, options);
    const fresh = list.records.filter((record) => !seen.has(String(record.id)));
    for (const record of fresh) {
      if (seen.size >= limit) return;
      seen.add(String(record.id));
      yield record;
    }
    if (fresh.length === 0 || isLast(list, page, perPage)) return;
  }
}

function isLast<T>(list: List<T>, page: number, asked: number): boolean {
  const { paging } = list;
  if (paging?.totalPages !== undefined) return page >= paging.totalPages;
  if (list.navigation?.nextPage) return false;
  return list.records.length < (paging?.perPage ?? asked);
}
