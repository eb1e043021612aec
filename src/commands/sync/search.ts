import { type Found, readCopy, searchMessages } from '../../features/mirror/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import type { View } from '../../runtime/output.ts';
import { asSearch } from './as-search.ts';

export interface SyncSearchOptions extends CopyOptions {
  readonly query: readonly string[];
  readonly limit: number;
}

const view: View<Found> = {
  columns: [
    { key: 'id', title: 'ID', kind: 'id', value: (row) => row.id, priority: 5 },
    { key: 'creationTime', title: 'TIME', kind: 'time', value: (row) => row.creationTime, priority: 8 },
    { key: 'type', title: 'TYPE', value: (row) => row.type, priority: 3 },
    { key: 'from', title: 'FROM', kind: 'phone', value: (row) => row.from, priority: 7 },
    { key: 'to', title: 'TO', kind: 'phone', value: (row) => row.to, priority: 6 },
    { key: 'readStatus', title: 'READ', kind: 'status', value: (row) => row.readStatus, priority: 2 },
    { key: 'mailbox', title: 'MAILBOX', value: (row) => row.mailbox, priority: 1 },
    { key: 'text', title: 'TEXT', kind: 'text', value: (row) => row.text, priority: 9 },
  ],
  empty: 'Nothing found.',
};

/** `sync search`: from the copy alone. */
export async function searchCopy(
  ctx: Context,
  { query, limit, ...options }: SyncSearchOptions,
): Promise<void> {
  await readCopy(ctx, options, async (db) => {
    const found = asSearch(ctx.now(), (readTime) => searchMessages(db, query.join(' '), limit, readTime));
    await ctx.out.list(found, view);
  });
}
