import { resolve } from 'node:path';
import {
  changeCopy,
  everyMessage,
  exportFile,
  exportHtml,
  foundKeys,
  isFull,
  requireCopy,
  type Selection,
} from '../../features/mirror/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { DiskFullError } from '../../errors/command.ts';
import { exportColumns, exportRows } from './export.rows.ts';
import { asSearch } from './as-search.ts';

export interface SyncExportOptions extends CopyOptions {
  readonly format: 'csv' | 'ndjson' | 'parquet' | 'html' | 'mbox';
  readonly to: string;
  readonly only: readonly string[];
  readonly fresh?: boolean;
}

/** `sync export`. The copy records the state of each export, so that the next export to the same target continues it. */
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
      throw new DiskFullError(`cannot write ${target}: the disk is full`, {
        hint: 'free disk space and run the same command again; it removes the incomplete part and continues the last complete export',
        retryable: true,
        cause: error,
      });
    }
  });
  await ctx.out.record(report, exportRows.pick(exportColumns));
}

/** All messages, or those that the search of `--only` finds. */
function selectionOf(filter: string, now: number): Selection {
  if (filter === '') return everyMessage;
  const { sql, values } = asSearch(now, (readTime) => foundKeys(filter, readTime));
  return { filter, sql: `message.pk IN (${sql})`, values };
}
