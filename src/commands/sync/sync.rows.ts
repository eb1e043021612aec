import { timeOfDay } from '../../platform/moment.ts';
import { flag, integer, nullable, oneOf, optional, text, time } from '../../runtime/output-schema.ts';
import type { View } from '../../runtime/output.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** The result of one sync of one scope of a mailbox. */
export type SyncRow = RowOf<typeof syncRows>;

export const syncRows = rows(
  { empty: 'No mailboxes.' },
  {
    mailbox: { schema: text, title: 'MAILBOX', kind: 'id', priority: 9 },
    extensionId: { schema: text },
    type: { schema: nullable(text), title: 'TYPE', priority: 6, cell: (row) => row.type ?? 'all' },
    direction: { schema: optional(nullable(text)) },
    syncType: { schema: optional(oneOf('FSync', 'ISync')), title: 'SYNC', priority: 3 },
    olderRecordsExist: { schema: optional(flag) },
    bytes: { schema: optional(integer) },
    repaired: { schema: optional(flag) },
    /** Number of messages of the mailbox whose columns were repaired, in its first row; undefined without `--full`. */
    columnsRepaired: { schema: optional(integer) },
    received: { schema: optional(integer) },
    added: { schema: optional(integer), title: 'ADDED', kind: 'number', priority: 8 },
    changed: { schema: optional(integer), title: 'CHANGED', kind: 'number', priority: 8 },
    unchanged: { schema: optional(integer) },
    deleted: { schema: optional(integer), title: 'DELETED', kind: 'number', priority: 5 },
    purged: { schema: optional(integer), title: 'PURGED', kind: 'number', priority: 5 },
    vanished: { schema: optional(integer), title: 'VANISHED', kind: 'number', priority: 4 },
    /** Undefined for `--dry-run`, which reads no messages. */
    errors: { schema: optional(integer), title: 'ERRORS', kind: 'number', priority: 7 },
    /** Attachments that were copied; undefined without `--media`. */
    media: { schema: optional(integer), title: 'MEDIA', kind: 'number', priority: 1 },
    /** Attachments that could not be copied; undefined without `--media`. */
    mediaErrors: { schema: optional(integer) },
    syncTime: { schema: optional(time) },
    /** The reason why this mailbox could not be read. */
    problem: { schema: optional(text), title: 'PROBLEM', priority: 6, folds: true },
  },
);

/** Formats a line of `sync --watch`: the changes that one sync copied. */
function syncLineText(row: SyncRow, zone?: string): string {
  if (row.problem !== undefined) return `mailbox ${row.mailbox}: ${row.problem}`;
  const type = row.type === null ? '' : ` ${row.type}`;
  const brought = (['added', 'changed', 'deleted', 'purged', 'vanished', 'errors', 'media'] as const)
    .filter((key) => (row[key] ?? 0) > 0)
    .map((key) => `${row[key]} ${key}`);
  const at = timeOfDay(row.syncTime ?? '', zone);
  return `${at}  mailbox ${row.mailbox}${type}: ${brought.join(', ') || 'nothing new'}`;
}

/** The rows of `sync --watch`; on a terminal, each row is a line. */
export const liveSyncView: View<SyncRow> = { ...syncRows.list, line: syncLineText };
