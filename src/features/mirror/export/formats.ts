import { Buffer } from 'node:buffer';
import { escapeFormula, quotedCell } from '../../../platform/csv-cell.ts';
import type { ExportRow } from '../../../store/export-row.ts';
import type { Archive } from '../../../store/archive.ts';
import type { Continued, FileEncoder } from './encoder.ts';
import { mboxMessage } from './mbox.ts';

/** The one-file formats, to which later exports append. */
export type FileFormat = 'csv' | 'ndjson' | 'mbox' | 'parquet';

/** The part of an archive that exports read. */
export type ExportSource = Pick<Archive, 'messages' | 'media'>;

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

/** How a file is encoded. */
export interface FileSettings {
  readonly format: FileFormat;
  /** Whether formulas in CSV are not escaped. */
  readonly raw?: boolean | undefined;
}

/** Returns the encoder of a format. The archive provides the attachments. */
export async function fileEncoder(
  { format, raw = false }: FileSettings,
  archive: ExportSource,
  continued: Continued | undefined,
): Promise<FileEncoder> {
  if (format === 'parquet') return (await import('./parquet.ts')).parquetEncoder(continued);
  return textEncoder(textFormat(format, archive, raw), continued !== undefined);
}

function textFormat(format: Exclude<FileFormat, 'parquet'>, archive: ExportSource, raw: boolean): TextFormat {
  const cell = (value: string | null): string => quotedCell(raw ? (value ?? '') : escapeFormula(value ?? ''));
  const formats: Readonly<Record<typeof format, TextFormat>> = {
    csv: {
      head: `${csvColumns.join(',')}\r\n`,
      piece: (row) => `${csvColumns.map((key) => cell(row[key])).join(',')}\r\n`,
    },
    // Each line is the unchanged record of the service.
    ndjson: { head: '', piece: ({ raw }) => `${raw.replaceAll(/[\r\n]+\s*/g, ' ')}\n` },
    mbox: { head: '', piece: (row) => mboxMessage(row, archive) },
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
