import type { List } from '../contract/common.ts';
import { isJsonObject } from '../platform/json.ts';
import type { Call } from './call.ts';
import { largestPage, recordsOf, type PageOptions } from './paging.ts';
import type { Transport } from './transport.ts';

/**
 * Yields the records of a list whose pages have tokens instead of numbers. The list ends at a page without a token for
 * the next page, or with a token that was used already.
 */
export async function* tokenPages<T>(
  transport: Transport,
  call: Call,
  options: PageOptions = {},
): AsyncGenerator<T, void, undefined> {
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  if (limit <= 0) return;
  const perPage = Math.min(options.perPage ?? largestPage, limit, largestPage);
  const used = new Set<string>();
  let given = 0;
  let pageToken: string | undefined;
  do {
    const query = { ...call.query, perPage, ...(pageToken !== undefined && { pageToken }) };
    const page = await transport.send<List<T>>({ ...call, query }, options);
    for (const record of recordsOf(page, call)) {
      if (given >= limit) return;
      given += 1;
      yield record;
    }
    pageToken = nextTokenOf(page);
    if (pageToken === undefined || used.has(pageToken)) return;
    used.add(pageToken);
  } while (given < limit);
}

function nextTokenOf(page: List<unknown>): string | undefined {
  const paging: unknown = page.paging;
  const token: unknown = isJsonObject(paging) ? paging['nextPageToken'] : undefined;
  return typeof token === 'string' && token !== '' ? token : undefined;
}
