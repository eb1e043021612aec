import type { View } from '../../runtime/output.ts';
import {
  anything,
  mapOf,
  nullable,
  object,
  optional,
  recordOrList,
  text,
} from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';
import { presenceRows } from './presence.rows.ts';

/** What each field of an update was and is to be. */
export type FieldChanges = Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>>;

const changes = mapOf(object({ from: anything, to: anything }));

/** The presence as it is after a change, and what was changed. */
export type ChangedPresence = RowOf<typeof changedRows>;

const changedRows = rows(
  { of: 'Presence' },
  { changes: { schema: changes, title: 'Changed', cell: (row) => textOfChanges(row.changes) } },
);

export const changedView: View<ChangedPresence> = {
  columns: [...presenceRows.record.columns, ...changedRows.record.columns],
};

/** What became of one person's presence. */
export type ChangeRow = RowOf<typeof changeRows>;

export const changeRows = rows(
  { empty: 'Nobody to change.' },
  {
    /** Null for a row that names nobody. */
    extensionId: { schema: nullable(text), title: 'ID', kind: 'id', priority: 1 },
    who: { schema: text, title: 'WHO', priority: 5 },
    changes: {
      schema: changes,
      key: 'change',
      title: 'CHANGE',
      priority: 3,
      cell: (row) => textOfChanges(row.changes),
      folds: true,
    },
    status: { schema: text, title: 'STATUS', kind: 'status', priority: 4 },
    message: { schema: optional(text), title: 'MESSAGE', priority: 2 },
  },
);

/** One presence with what was changed, several as a list of changes. */
export const changeOutput = recordOrList(changedRows, changeRows);

/** `dndStatus TakeAllCalls -> DoNotAcceptAnyCalls` */
export function textOfChanges(all: FieldChanges): string {
  return Object.entries(all)
    .map(([field, { from, to }]) => `${field} ${textOf(from)} -> ${textOf(to)}`)
    .join(', ');
}

function textOf(value: unknown): string {
  if (value === '' || value === null || value === undefined) return '(none)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
