import { Buffer } from 'node:buffer';
import { isFormula, quotedCell } from '../../../platform/csv-cell.ts';
import type { Database } from '../../../platform/sqlite.ts';
import type { Continued, FileEncoder } from './encoder.ts';
import { mboxMessage } from './mbox.ts';
import type { ExportRow } from './row.ts';

/** The one-file formats, to which later exports append. */
export type FileFormat = 'csv' | 'ndjson' | 'mbox' | 'parquet';

/** The encoding of a text format. */
interface TextFormat {
  readonly head: string;
  readonly piece: (row: ExportRow) => string | Promise<string>;
}

/** Number of characters that are written at once. */
const blockSize = 256 * 1024;
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

/** The encoder of a format. `database` is the file whose folder has the attachments. */
export async function fileEncoder(
  format: FileFormat,
  source: { readonly db: Database; readonly database: string },
  continued: Continued | undefined,
): Promise<FileEncoder> {
  if (format === 'parquet') return (await import('./parquet.ts')).parquetEncoder(continued);
  return textEncoder(textFormat(format, source), continued !== undefined);
}

function textFormat(
  format: Exclude<FileFormat, 'parquet'>,
  { db, database }: { readonly db: Database; readonly database: string },
): TextFormat {
  const formats: Readonly<Record<typeof format, TextFormat>> = {
    csv: {
      head: `${csvColumns.join(',')}\r\n`,
      piece: (row) => `${csvColumns.map((key) => csvCell(key, row[key])).join(',')}\r\n`,
    },
    // Each line is the unchanged record of the service.
    ndjson: { head: '', piece: ({ raw }) => `${raw.replaceAll(/[\r\n]+\s*/g, ' ')}\n` },
    mbox: { head: '', piece: (row) => mboxMessage(row, db, database) },
  };
  return formats[format];
}

function textEncoder({ head, piece }: TextFormat, isContinued: boolean): FileEncoder {
  let block = isContinued ? '' : head;
  const take = (): Uint8Array => {
    const bytes = Buffer.from(block);
    block = '';
    return bytes;
  };
  return {
    async add(row) {
      block += await piece(row);
      return block.length < blockSize ? undefined : take();
    },
    end: take,
  };
}

function csvCell(key: string, value: string | null): string {
  const text = value ?? '';
  return quotedCell(isFormula(text, phones.has(key)) ? `'${text}` : text);
}
