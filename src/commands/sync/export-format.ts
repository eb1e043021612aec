import { extname } from 'node:path';

/** A format of `sync export`; `html` is a folder of pages. */
export type ExportFormat = 'csv' | 'ndjson' | 'parquet' | 'html' | 'mbox';

const formatOfExtension = new Map<string, ExportFormat>([
  ['.csv', 'csv'],
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
  ['.parquet', 'parquet'],
  ['.mbox', 'mbox'],
]);

/** Returns the format that the extension of a file shows; undefined if it shows none. */
export function formatOf(path: string): ExportFormat | undefined {
  return formatOfExtension.get(extname(path).toLowerCase());
}
