import { resolve } from 'node:path';
import {
  changeCopy,
  everyMessage,
  exportFile,
  exportHtml,
  type ExportReport,
  foundKeys,
  isFull,
  requireCopy,
  type Selection,
} from '../../features/mirror/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import type { View } from '../../runtime/output.ts';
import { asSearch } from './as-search.ts';

export interface SyncExportOptions extends CopyOptions {
  readonly format: 'csv' | 'ndjson' | 'parquet' | 'html' | 'mbox';
  readonly to: string;
  readonly only: readonly string[];
  readonly fresh?: boolean;
}

const view: View<ExportReport> = {
  columns: [
    { key: 'messages', title: 'MESSAGES', kind: 'number', value: (row) => row.messages },
    { key: 'format', title: 'FORMAT', value: (row) => row.format },
    { key: 'incremental', title: 'INCREMENTAL', value: (row) => row.incremental },
    { key: 'target', title: 'TARGET', value: (row) => row.target },
  ],
};

/** `sync export`; how far it came is kept in the copy, so that the next one goes on from there. */
export async function exportCopy(ctx: Context, options: SyncExportOptions): Promise<void> {
  const chosen = selectionOf(options.only.join(' ').trim(), ctx.now());
  requireCopy(ctx, options);
  const target = resolve(ctx.cwd, options.to);
  const fresh = options.fresh ?? false;
  const { format } = options;
  const report = await changeCopy(ctx, options, async (db, file) => {
    try {
      return format === 'html'
        ? await exportHtml(db, file, { target, fresh, chosen })
        : await exportFile(db, file, { target, format, fresh, chosen });
    } catch (error) {
      if (!isFull(error)) throw error;
      throw new CommandError('disk_full', Exit.local, `there is no room to write ${target}`, {
        hint: 'make room and run it again: it cuts off what is half written, and goes on where the export before ended',
        retryable: true,
        cause: error,
      });
    }
  });
  await ctx.out.record(report, view);
}

/** Everything, or what a search finds. */
function selectionOf(filter: string, now: number): Selection {
  if (filter === '') return everyMessage;
  const { sql, values } = asSearch(now, (readTime) => foundKeys(filter, readTime));
  return { filter, sql: `message.pk IN (${sql})`, values };
}
