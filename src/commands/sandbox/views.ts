import type { View } from '../../runtime/output.ts';
import { cellOf } from './json-cell.rows.ts';

type Row = Readonly<Record<string, unknown>>;

/** The columns of a view for the members that a record has. */
export function viewOfPresent<R extends object>(view: View<R>, row: R): View<R> {
  return { ...view, columns: view.columns.filter(({ key }) => Object.hasOwn(row, key)) };
}

/** A column for each member of a record whose members are not fixed. */
export function viewOfMembers(row: object): View<Row> {
  return membersWith(row, (key) => key.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toUpperCase());
}

/** As `viewOfMembers`, but labelled with the names of the members, because users type them. */
export function viewOfNames(row: object): View<Row> {
  return membersWith(row, (key) => key);
}

function membersWith(row: object, title: (key: string) => string): View<Row> {
  return {
    columns: Object.keys(row).map((key) => ({ key, title: title(key), value: (one) => cellOf(one[key]) })),
  };
}
