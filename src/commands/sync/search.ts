import { numberInWords, readCopy } from '../../features/mirror/index.ts';
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
    const search = query.join(' ');
    const found = await asSearch(ctx, (readTime) => messages.search(search, limit, readTime));
    const view = foundRows.pick(foundColumns);
    const number = numberInWords(search);
    // Words match texts and names. Numbers have filters.
    const empty = number && `No messages found. To search for the number, use with:"${number}".`;
    await ctx.out.list(found, empty ? { ...view, empty } : view);
  });
}
