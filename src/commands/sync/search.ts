import { readCopy } from '../../features/mirror/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { foundColumns, foundRows } from './search.rows.ts';
import { asSearch } from './as-search.ts';

export interface SyncSearchOptions extends CopyOptions {
  readonly query: readonly string[];
  readonly limit: number;
}

/** `sync search`: searches the local mailbox copy; sends no requests. */
export async function searchCopy(
  ctx: Context,
  { query, limit, ...options }: SyncSearchOptions,
): Promise<void> {
  await readCopy(ctx, options, async ({ messages }) => {
    const found = await asSearch(ctx, (readTime) => messages.search(query.join(' '), limit, readTime));
    await ctx.out.list(found, foundRows.pick(foundColumns));
  });
}
