import { defaultPerPage, maxPerPage } from '../../contract/limits.ts';
import type { Slice, Window } from '../world/sql.ts';
import type { World } from '../world/world.ts';

interface PageQuery {
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
}
export interface Page {
  readonly page: number;
  readonly perPage: number;
  readonly window: Window;
}

/** Which page is asked for: the first and 100 by default, a larger perPage than the maximum is clamped. */
export function pageOf(query: PageQuery): Page {
  const page = query.page ?? 1;
  const perPage = Math.min(query.perPage ?? defaultPerPage, maxPerPage);
  return { page, perPage, window: { limit: perPage, offset: (page - 1) * perPage } };
}

type QueryValue = string | number | boolean | readonly string[] | undefined;

/**
 * The list envelope (BASE-28 to BASE-32).
 * @param path with ids in place of `~`.
 * @param filters those in effect, defaults filled in.
 */
export function listReply<Row, Item>(
  world: World,
  path: string,
  filters: Readonly<Record<string, QueryValue>>,
  { page, perPage }: Page,
  { rows, total }: Slice<Row>,
  toItem: (row: Row) => Item,
) {
  const totalPages = Math.max(1, Math.ceil(total / perPage));
  const link = (number: number) => ({ uri: pageUri(world, path, filters, number, perPage) });
  const pageStart = (page - 1) * perPage;
  return {
    uri: link(page).uri,
    records: rows.map(toItem),
    paging: {
      page,
      perPage,
      ...(rows.length > 0 && { pageStart, pageEnd: pageStart + rows.length - 1 }),
      totalPages,
      totalElements: total,
    },
    navigation: {
      firstPage: link(1),
      ...(page < totalPages && { nextPage: link(page + 1) }),
      ...(page > 1 && { previousPage: link(Math.min(page - 1, totalPages)) }),
      lastPage: link(totalPages),
    },
  };
}

/**
 * The envelope of a list that is not counted: without totals and lastPage (BASE-35).
 * @param rows one more than the page holds when another page follows.
 */
export function openListReply<Row, Item>(
  world: World,
  path: string,
  filters: Readonly<Record<string, QueryValue>>,
  { page, perPage }: Page,
  rows: readonly Row[],
  toItem: (row: Row) => Item,
) {
  const link = (number: number) => ({ uri: pageUri(world, path, filters, number, perPage) });
  const shown = rows.slice(0, perPage);
  const pageStart = (page - 1) * perPage;
  return {
    uri: link(page).uri,
    records: shown.map(toItem),
    paging: {
      page,
      perPage,
      ...(shown.length > 0 && { pageStart, pageEnd: pageStart + shown.length - 1 }),
    },
    navigation: {
      firstPage: link(1),
      ...(rows.length > perPage && { nextPage: link(page + 1) }),
      ...(page > 1 && { previousPage: link(page - 1) }),
    },
  };
}

function pageUri(
  world: World,
  path: string,
  filters: Readonly<Record<string, QueryValue>>,
  page: number,
  perPage: number,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item));
  }
  query.set('page', String(page));
  query.set('perPage', String(perPage));
  return `${world.baseUrl}${path}?${query.toString()}`;
}
