import { suggest } from '../../platform/suggest.ts';
import { foldHeading } from './headings.ts';
import { isResultColumn } from './results.ts';
import { columnsOf, type TableField } from './table-header.ts';

/** Returns the headings of the columns that no field reads, except those that a results file has added. */
export function unreadColumns(
  headings: readonly string[],
  fields: readonly TableField<string>[],
  map: ReadonlyMap<string, string>,
): readonly string[] {
  const isRead = new Set(
    fields.flatMap((field) => columnsOf(headings, map, field).map(({ index }) => index)),
  );
  return headings.filter(
    (heading, index) => heading.trim() !== '' && !isRead.has(index) && !isResultColumn(heading),
  );
}

/**
 * Describes a column that no field reads, with the most similar field.
 * @param noun what a field is, such as `a setting`
 */
export function unreadText(heading: string, noun: string, fields: readonly string[]): string {
  const names = new Map(fields.map((name) => [foldHeading(name), name]));
  const [near] = suggest(foldHeading(heading), [...names.keys()]);
  const question = near === undefined ? '' : `; did you mean "${names.get(near) ?? near}"?`;
  return `column "${heading}" is not ${noun}${question}`;
}
