import { usageError } from '../errors/command.ts';
import { compareNumbers } from '../platform/number-order.ts';
import type { CellValue, View } from '../runtime/output.ts';
import { chooseColumns } from './fields.ts';
import type { Rows, Surface } from './renderer.ts';

/** A sort key of `--sort FIELD[:desc]`. */
interface Order {
  readonly field: string;
  readonly descending: boolean;
}

/** Reads `name` and `name:desc`. @throws {CommandError} `usage`. */
export function readOrders(texts: readonly string[]): readonly Order[] {
  return texts.map((text) => {
    const [, field, way] = /^(.+?)(?::(asc|desc))?$/i.exec(text) ?? [];
    if (field === undefined || field.includes(':'))
      throw usageError(`--sort: "${text}" is not a valid order`, 'use FIELD or FIELD:desc');
    return { field, descending: way?.toLowerCase() === 'desc' };
  });
}

/** Sorts rows by columns of the view or paths into the record; missing values come last. Reads all rows first. */
export async function sorted<T extends object>(
  rows: Rows<T>,
  view: View<T>,
  orders: readonly Order[],
  surface: Pick<Surface, 'knownFields' | 'checkPath' | 'onUnknownField'>,
): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  if (all.length === 0) return all;
  const fields = orders.map(({ field }) => field);
  const columns = chooseColumns(view, { ...surface, fields }, all);
  const keyed = all.map((row) => ({ row, keys: columns.map((column) => column?.value(row)) }));
  keyed.sort((a, b) => {
    for (const [index, { descending }] of orders.entries()) {
      const difference = compareCells(a.keys[index], b.keys[index], descending);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  return keyed.map(({ row }) => row);
}

/** Compares two cells; missing values come last. */
export function compareCells(a: CellValue, b: CellValue, descending: boolean): number {
  if (isAbsent(a) || isAbsent(b)) return Number(isAbsent(a)) - Number(isAbsent(b));
  const difference =
    isNumber(a) && isNumber(b) ? Number(a > b) - Number(a < b) : compareNumbers(String(a), String(b));
  return descending ? -difference : difference;
}

function isAbsent(value: CellValue): boolean {
  return value === null || value === undefined || value === '';
}

function isNumber(value: CellValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
