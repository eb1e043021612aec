import { isFormula, quotedCell } from '../../../platform/csv-cell.ts';
import type { Database } from '../../../platform/sqlite.ts';
import { mboxMessage } from './mbox.ts';
import type { ExportRow } from './row.ts';

/** Formats of one file, to which later exports append. */
export type FileFormat = 'csv' | 'ndjson' | 'mbox';

/** How one format writes. */
export interface FileWriter {
  readonly head: string;
  readonly piece: (row: ExportRow) => string | Promise<string>;
}

const csvColumns = [
  'id',
  'mailbox',
  'type',
  'direction',
  'availability',
  'readStatus',
  'messageStatus',
  'creationTime',
  'lastModifiedTime',
  'conversationId',
  'fromNumber',
  'fromExtension',
  'fromName',
  'toNumbers',
  'toNames',
  'text',
] as const satisfies readonly (keyof ExportRow)[];
const phones = new Set<string>(['fromNumber', 'toNumbers']);

/** `database` is where the attachments lie beside. */
export function fileWriter(format: FileFormat, db: Database, database: string): FileWriter {
  const writers: Readonly<Record<FileFormat, FileWriter>> = {
    csv: {
      head: `${csvColumns.join(',')}\r\n`,
      piece: (row) => `${csvColumns.map((key) => csvCell(key, row[key])).join(',')}\r\n`,
    },
    // The service's own record, on one line.
    ndjson: { head: '', piece: ({ raw }) => `${raw.replaceAll(/[\r\n]+\s*/g, ' ')}\n` },
    mbox: { head: '', piece: (row) => mboxMessage(row, db, database) },
  };
  return writers[format];
}

function csvCell(key: string, value: string | null): string {
  const text = value ?? '';
  return quotedCell(isFormula(text, phones.has(key)) ? `'${text}` : text);
}
