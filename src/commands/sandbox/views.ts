import type { View } from '../../runtime/output.ts';
import { cellOf } from './json-cell.rows.ts';

type Row = Readonly<Record<string, unknown>>;

/** Returns the columns of a view for which the record has members. */
export function viewOfPresent<R extends object>(view: View<R>, row: R): View<R> {
  return { ...view, columns: view.columns.filter(({ key }) => Object.hasOwn(row, key)) };
}

/** Returns a view with a column for each member of a record, for records whose members are not fixed. */
export function viewOfMembers(row: object): View<Row> {
  return membersWith(row, (key) => key.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toUpperCase());
}

/** Like `viewOfMembers`, but the labels are the names of the members, because users type these names. */
export function viewOfNames(row: object): View<Row> {
  return membersWith(row, (key) => key);
}

function membersWith(row: object, title: (key: string) => string): View<Row> {
  return {
    columns: Object.keys(row).map((key) => ({ key, title: title(key), value: (one) => cellOf(one[key]) })),
  };
}
