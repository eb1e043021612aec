import { usageError } from '../errors/command.ts';
import type { CellValue, Column, View } from '../runtime/output.ts';
import { stringifyJson } from '../platform/json.ts';
import type { Surface } from './renderer.ts';

/** Follows a dotted path such as `to.0.phoneNumber` through a record. The name of a member may contain dots. */
function valueAt(record: unknown, path: string): unknown {
  if (typeof record !== 'object' || record === null) return undefined;
  const members = record as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(record, path)) return members[path];
  for (let end = path.lastIndexOf('.'); end > 0; end = path.lastIndexOf('.', end - 1)) {
    const key = path.slice(0, end);
    const found = Object.hasOwn(record, key) ? valueAt(members[key], path.slice(end + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the record, or only its selected fields in the given order; missing fields are null. */
export function pickFields(record: object, fields: readonly string[] | undefined): object {
  if (!fields) return record;
  return Object.fromEntries(fields.map((field) => [field, valueAt(record, field) ?? null]));
}

/**
 * Returns the columns to show: the selected columns, or all columns of the view. A name that is not a column is a path
 * into the record. A view without columns shows every value of the samples under its dotted path.
 * @throws {CommandError} `usage` for an unknown name.
 */
export function chooseColumns<T extends object>(
  view: View<T>,
  surface: Pick<Surface, 'fields' | 'knownFields' | 'checkPath' | 'onUnknownField'>,
  samples: readonly T[],
): readonly Column<T>[] {
  if (surface.fields) return surface.fields.map((field) => findColumn(view, field, samples, surface));
  if (view.columns.length > 0) return view.columns;
  return pathsOf(samples).map((path) => pathColumn<T>(path));
}

function findColumn<T extends object>(
  view: View<T>,
  field: string,
  samples: readonly T[],
  { knownFields, checkPath, onUnknownField }: Pick<Surface, 'knownFields' | 'checkPath' | 'onUnknownField'>,
): Column<T> {
  const column = view.columns.find((one) => one.key === field);
  if (column) return column;
  // A known JSON field is valid even if the first records do not have it.
  const [head = ''] = field.split('.');
  const isKnown = knownFields?.includes(head) === true || samples.length === 0;
  if (samples.some((sample) => valueAt(sample, field) !== undefined)) return pathColumn(field);
  const undeclared = isKnown ? checkPath?.(field) : undefined;
  if (isKnown && undeclared === undefined) return pathColumn(field);
  if (undeclared !== undefined && onUnknownField === undefined) throw undeclared;
  const known = view.columns.length > 0 ? view.columns.map(({ key }) => key) : pathsOf(samples).slice(0, 8);
  if (onUnknownField) {
    onUnknownField(`unknown field "${field}"; fields: ${known.join(', ')}`);
    return pathColumn(field);
  }
  throw usageError(`unknown field "${field}"`, `fields: ${known.join(', ')}, or a path into the JSON record`);
}

function pathsOf(samples: readonly object[]): readonly string[] {
  return [...new Set(samples.flatMap((sample) => flatPaths(sample)))];
}

function pathColumn<T>(path: string): Column<T> {
  return { key: path, title: path, value: (row) => toCell(valueAt(row, path)) };
}

function toCell(value: unknown): CellValue {
  if (typeof value === 'object' && value !== null) return stringifyJson(value);
  return value as CellValue;
}

function flatPaths(value: object, prefix = ''): string[] {
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) =>
    typeof item === 'object' && item !== null ? flatPaths(item, `${prefix}${key}.`) : [prefix + key],
  );
}
