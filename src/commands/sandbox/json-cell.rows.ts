import type { CellValue } from '../../runtime/output.ts';

/** The cell of a member that is a list or an object. */
export function jsonCell(name: string): (row: object) => CellValue {
  return (row) => cellOf((row as Readonly<Record<string, unknown>>)[name]);
}

/** The cell of any value: the items of a list of plain values, other lists and objects as JSON. */
export function cellOf(value: unknown): CellValue {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : (value as CellValue);
}
