import { defaultPerPage, maxPerPage } from '../../contract/limits.ts';
import type { Slice, RowWindow } from '../world/sql.ts';
import { addressOf } from './uris.ts';
import type { World } from '../world/world.ts';

interface PageQuery {
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
}
export interface Page {
  readonly page: number;
  readonly perPage: number;
  readonly window: RowWindow;
}

/** Returns the requested page; by default the first 100 rows. perPage is limited to the maximum. */
export function pageOf(query: PageQuery): Page {
  const page = query.page ?? 1;
  const perPage = Math.min(query.perPage ?? defaultPerPage, maxPerPage);
  return { page, perPage, window: { limit: perPage, offset: (page - 1) * perPage } };
}

type QueryValue = string | number | boolean | readonly string[] | undefined;

/** The request of a list, which the links of its reply repeat. */
export interface ListRequest {
  readonly world: World;
  /** The path of the list, with IDs instead of `~`. */
  readonly path: string;
  /** The filters in effect, including defaults. */
  readonly filters?: Readonly<Record<string, QueryValue>>;
  readonly page: Page;
}

/** Returns the list envelope (BASE-28 to BASE-32). */
export function listReply<Row, Item>(
  request: ListRequest,
  { rows, total }: Slice<Row>,
  toItem: (row: Row) => Item,
) {
  const { page, perPage } = request.page;
  const totalPages = Math.max(1, Math.ceil(total / perPage));
  const link = (number: number) => ({ uri: pageUri(request, number) });
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
 * Returns the envelope of a list whose rows are not counted. It has no totals and no lastPage (BASE-35).
 * @param rows the rows of the page, and one extra row if another page follows.
 */
export function openListReply<Row, Item>(
  request: ListRequest,
  rows: readonly Row[],
  toItem: (row: Row) => Item,
) {
  const { page, perPage } = request.page;
  const link = (number: number) => ({ uri: pageUri(request, number) });
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

function pageUri({ world, path, filters = {}, page: { perPage } }: ListRequest, page: number): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item));
  }
  query.set('page', String(page));
  query.set('perPage', String(perPage));
  return addressOf(world, `${path}?${query.toString()}`);
}
