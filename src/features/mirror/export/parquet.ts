import { Buffer } from 'node:buffer';
import { parquetMetadata, type FileMetaData, type SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Continued, FileEncoder } from './encoder.ts';
import type { ExportRow } from '../../../store/export-row.ts';

type Cell = string | Date | number | null;

interface Column {
  readonly name: string;
  readonly kind: 'text' | 'time' | 'count';
  readonly required?: boolean;
  readonly value: (row: ExportRow) => Cell;
}

/** IDs are text, because they can be longer than the integers that most readers support. */
const columns: readonly Column[] = [
  text('id', (row) => row.id, true),
  text('mailbox', (row) => row.mailbox, true),
  text('type', (row) => row.type, true),
  text('direction', (row) => row.direction),
  text('availability', (row) => row.availability, true),
  text('read_status', (row) => row.readStatus),
  text('message_status', (row) => row.messageStatus),
  time('creation_time', (row) => row.creationTime),
  time('last_modified_time', (row) => row.lastModifiedTime),
  text('conversation_id', (row) => row.conversationId),
  text('from_number', (row) => row.fromNumber),
  text('from_extension', (row) => row.fromExtension),
  text('from_name', (row) => row.fromName),
  text('to_numbers', (row) => row.toNumbers),
  text('to_names', (row) => row.toNames),
  text('text', (row) => row.text),
  { name: 'attachments', kind: 'count', required: true, value: (row) => row.attachments },
  // The record of the service, which includes members without a column.
  text('raw', (row) => row.raw, true),
];

/**
 * Maximum number of messages in a row group, which is in memory as a whole. A row group also ends when its records have
 * `groupText` characters.
 */
const groupRows = 2500;
const groupText = 2_000_000;

/**
 * Encodes Apache Parquet with typed columns. A continued file gets further row groups and a new footer that lists all
 * of them. The previous footer stays as unused bytes, so that removing the end of an interrupted export restores a
 * valid file.
 * @throws when the continued file is not a Parquet file.
 */
export async function parquetEncoder(continued: Continued | undefined): Promise<FileEncoder> {
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({ writer: bytes, schema: schema(), createdBy: 'ucctl' });
  if (continued) {
    const { row_groups: groups, num_rows: rows } = await footerOf(continued);
    writer.row_groups = groups;
    writer.num_rows = rows;
    bytes.index = 0;
    bytes.offset = continued.bytes;
  }
  let group: Cell[][] = columns.map(() => []);
  let groupLength = 0;
  const writeGroup = (): void => {
    const columnData = columns.map(({ name, kind }, index) => ({
      name,
      data: group[index] ?? [],
      // Text columns have no statistics: their bounds would be truncated, and the next footer would contain
      // different bounds.
      statistics: kind !== 'text',
      offsetIndex: false,
    }));
    // Each call writes one row group, because the package would otherwise split the rows into many groups.
    void writer.write({ columnData, rowGroupSize: groupRows });
    group = columns.map(() => []);
    groupLength = 0;
  };
  const take = (): Uint8Array => {
    const ready = bytes.getBytes().slice();
    bytes.index = 0;
    return ready;
  };
  return {
    add(row) {
      for (const [index, { value }] of columns.entries()) group[index]?.push(value(row));
      groupLength += row.raw.length;
      if ((group[0]?.length ?? 0) < groupRows && groupLength < groupText) return Promise.resolve(undefined);
      writeGroup();
      return Promise.resolve(take());
    },
    end() {
      if ((group[0]?.length ?? 0) > 0) writeGroup();
      void writer.finish();
      return take();
    },
  };
}

async function footerOf({ bytes, read }: Continued): Promise<FileMetaData> {
  const end = Buffer.from(await read(bytes - 8, 8));
  if (end.toString('latin1', 4) !== 'PAR1') throw new Error('the file is not a complete Parquet file');
  const length = end.readUInt32LE(0) + 8;
  return parquetMetadata(await read(bytes - length, length));
}

/** Without the logical type, readers such as DuckDB and Arrow take a time for the local time of an unknown zone. */
const utcTime = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;

function schema(): SchemaElement[] {
  return [
    { name: 'message', num_children: columns.length },
    ...columns.map(({ name, kind, required }) => {
      const repetition = required ? ('REQUIRED' as const) : ('OPTIONAL' as const);
      const shared = { name, repetition_type: repetition };
      if (kind === 'count') return Object.assign(shared, { type: 'INT32' as const });
      return kind === 'time'
        ? Object.assign(shared, utcTime)
        : Object.assign(shared, { type: 'BYTE_ARRAY' as const, converted_type: 'UTF8' as const });
    }),
  ];
}

function text(name: string, value: Column['value'], required = false): Column {
  return { name, kind: 'text', required, value };
}

/** Returns a column of times in milliseconds since 1970, in UTC. */
function time(name: string, value: (row: ExportRow) => string | null): Column {
  return {
    name,
    kind: 'time',
    value: (row) => {
      const date = new Date(value(row) ?? Number.NaN);
      return Number.isNaN(date.getTime()) ? null : date;
    },
  };
}
