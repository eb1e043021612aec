import type { CellValue, View } from '../../runtime/output.ts';

type Row = Readonly<Record<string, unknown>>;

/** Columns by name; what is no plain value is shown as JSON. */
export function viewOf(keys: readonly string[], empty?: string): View<Row> {
  return {
    columns: keys.map((key) => ({ key, title: titleOf(key), value: (row) => cell(row[key]) })),
    ...(empty !== undefined && { empty }),
  };
}

/** All plain members of one record. */
export function viewOfRecord(row: object): View<Row> {
  return viewOf(Object.keys(row));
}

function titleOf(key: string): string {
  return key.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toUpperCase();
}

function cell(value: unknown): CellValue {
  if (value === null || value === undefined || typeof value === 'object')
    return value ? JSON.stringify(value) : undefined;
  return value as CellValue;
}
