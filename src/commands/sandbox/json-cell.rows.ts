import type { CellValue } from '../../runtime/output.ts';

/** Returns the cell of a member that is a list or an object. */
export function jsonCell(name: string): (row: object) => CellValue {
  return (row) => cellOf((row as Readonly<Record<string, unknown>>)[name]);
}

/** Returns the cell of any value: a list of plain values shows its items, other lists and objects are JSON. */
export function cellOf(value: unknown): CellValue {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : (value as CellValue);
}
