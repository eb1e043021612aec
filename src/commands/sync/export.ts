import { resolve } from 'node:path';
import {
  changeCopy,
  checkSearch,
  everyMessage,
  exportFile,
  exportHtml,
  isFull,
  requireCopy,
  withoutNumbers,
} from '../../features/mirror/index.ts';
import type { Archive } from '../../store/archive.ts';
import type { Selection } from '../../store/export-row.ts';
import type { AuditEntry, MessageReader } from '../../store/message-store.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { requireNoFolder } from '../../runtime/output-file.ts';
import { type CommandError, DiskFullError, usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { counted } from '../../platform/counted.ts';
import { exportColumns, exportRows } from './export.rows.ts';
import { asSearch } from './as-search.ts';
import { type ExportFormat, formatOf } from './export-format.ts';
import { entryAt } from '../../platform/entry-at.ts';

export interface SyncExportOptions extends CopyOptions {
  readonly format?: ExportFormat;
  readonly to: string;
  readonly only: readonly string[];
  readonly fresh?: boolean;
}

/**
 * `sync export`: writes the local mailbox copy to files. The copy records the state of each export, so that the next
 * export to the same target continues from there.
 * @throws {CommandError} `usage` for standard output or a device, and for a folder as the target of a file.
 */
export async function exportCopy(ctx: Context, options: SyncExportOptions): Promise<void> {
  if (options.to === '-') throw noFileError('ucctl cannot export to standard output');
  if (isDevice(resolve(ctx.cwd, options.to)))
    throw noFileError(`ucctl cannot export to ${options.to}, which is not a file`);
  const format = options.format ?? formatOf(options.to);
  if (!format) throw unknownFormat(options.to);
  if (format !== 'html') requireNoFolder(ctx.cwd, '--to', options.to, `messages.${format}`);
  const filter = options.only.join(' ').trim();
  // An invalid search is reported before any file is opened.
  if (filter !== '') asSearch(ctx, (readTime) => checkSearch(filter, readTime));
  requireCopy(ctx, options);
  const target = resolve(ctx.cwd, options.to);
  const fresh = options.fresh ?? false;
  const { report, calls } = await changeCopy(ctx, options, async (archive) => {
    const chosen = selectionOf(ctx, archive.messages, filter);
    // The line remains when a number is erased later.
    const subject = `${format} to ${target}${filter === '' ? '' : `, search "${withoutNumbers(filter)}"`}`;
    const lineOf = (count: number): AuditEntry => ({
      action: 'export',
      subject,
      count,
      at: new Date(ctx.now()).toISOString(),
    });
    try {
      const written = await archive.messages.exporting(target, () =>
        format === 'html'
          ? exportHtml(archive, { target, fresh, chosen, lineOf })
          : exportFile(archive, { target, format, raw: ctx.out.csvRaw, fresh, chosen, lineOf }),
      );
      // Later exports to the same target, and exports of selected messages, do not repeat the note about calls.
      const isNoted = filter === '' && !written.incremental;
      return { report: written, calls: isNoted ? await copiedCalls(ctx, archive) : 0 };
    } catch (error) {
      if (!isFull(error)) throw error;
      throw new DiskFullError(`cannot write ${target}: the disk is full`, {
        hint: 'free up disk space, then run the same command again; ucctl removes the incomplete part and resumes after the last complete export',
        retryable: true,
        cause: error,
      });
    }
  });
  await ctx.out.record(report, exportRows.pick(exportColumns));
  if (calls > 0)
    ctx.out.note(
      nextStep`An export contains messages only. To write the ${counted(calls, 'copied call')} as CSV: ${ucctl('sync sql "select * from v_call" -o csv')}`,
    );
}

async function copiedCalls(ctx: Context, archive: Archive): Promise<number> {
  return (await archive.calls.status(ctx.now())).reduce((sum, one) => sum + one.calls, 0);
}

function noFileError(reason: string): CommandError {
  return usageError(
    `--to: ${reason}, because the next export appends to the same files`,
    'specify a file, for example --to messages.csv',
  );
}

function unknownFormat(target: string): CommandError {
  return usageError(
    `--format is missing: ${target} has no extension of a format`,
    nextStep`choose csv, ndjson, parquet, html (a folder of pages) or mbox, for example: ${ucctl`sync export --format html --to ${target}`}`,
  );
}

/** Whether a path names a pipe, a terminal or another device. To open a pipe without a reader would wait without end. */
function isDevice(path: string): boolean {
  try {
    const found = entryAt(path);
    return found !== undefined && !found.isFile() && !found.isDirectory();
  } catch {
    // If the path cannot be read, opening it causes a clearer error.
    return false;
  }
}

/** Returns all messages, or the messages that the search of `--only` finds. */
function selectionOf(ctx: Context, store: MessageReader, filter: string): Selection {
  if (filter === '') return everyMessage;
  return asSearch(ctx, (readTime) => store.select(filter, readTime));
}
