import { shownValue } from '../../platform/shown-value.ts';
import type { View } from '../../runtime/output.ts';
import { withQueueCalls } from '../../runtime/queue-calls.ts';
import {
  anything,
  mapOf,
  nullable,
  object,
  oneOf,
  optional,
  recordOrList,
  text,
} from '../../runtime/output-schema.ts';
import { unmadeStatuses } from '../../runtime/change-status.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';
import { presenceRecordView } from './presence.rows.ts';

/** The old and new values of the fields of an update. */
export type FieldChanges = Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>>;

interface Changed {
  readonly changes: FieldChanges;
}

/** The changes for programs, such as `dndStatus TakeAllCalls -> DoNotAcceptAnyCalls`, and for people. */
const changeCells = {
  cell: ({ changes: all }: Changed) =>
    Object.entries(all)
      .map(([field, { from, to }]) => `${field} ${shownValue(from)} -> ${shownValue(to)}`)
      .join(', '),
  shown: ({ changes: all }: Changed) => textOfChanges(all),
};

const changes = mapOf(object({ from: anything, to: anything }));

/** The presence after a change, with the changed fields. */
export type ChangedPresence = RowOf<typeof changedRows>;

const changedRows = rows(
  { of: 'Presence' },
  { changes: { schema: changes, title: 'Changed', ...changeCells } },
);

/** The columns of a changed presence. `name` heads the record. */
export function changedView(name: string | undefined): View<ChangedPresence> {
  return { columns: [...presenceRecordView(name).columns, ...changedRows.record.columns] };
}

const statuses = ['changed', 'skipped', ...unmadeStatuses] as const;

/** The result of changing one person's presence. */
export type ChangeRow = RowOf<typeof changeRows>;

export const changeRows = rows(
  { empty: 'No changes.' },
  {
    /** Null for a row whose person was not found. */
    extensionId: { schema: nullable(text), title: 'ID', kind: 'id', priority: 1 },
    who: { schema: text, title: 'WHO', priority: 5, least: 26 },
    changes: {
      schema: changes,
      key: 'change',
      title: 'CHANGE',
      priority: 3,
      ...changeCells,
      folds: true,
    },
    status: { schema: oneOf(...statuses), title: 'STATUS', kind: 'status', priority: 4 },
    message: { schema: optional(text), title: 'MESSAGE', priority: 3, folds: true },
  },
);

/** One presence with its changed fields, or a list of changes. */
export const changeOutput = recordOrList(changedRows, changeRows);

/** Describes changes in the words of the options, such as `queue calls: on → off`. */
export function textOfChanges(all: FieldChanges): string {
  return Object.entries(all)
    .map(([field, change]) => fieldText(field, change))
    .join(', ');
}

function fieldText(field: string, { from, to }: FieldChanges[string]): string {
  if (field === 'dndStatus' && typeof from === 'string' && typeof to === 'string') {
    // Only the option --queue-calls makes such a change: it leaves other calls unchanged.
    if (withQueueCalls(from, 'off') === to) return 'queue calls: on → off';
    if (withQueueCalls(from, 'on') === to) return 'queue calls: off → on';
  }
  const words = field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words}: ${wordOf(from)} → ${wordOf(to)}`;
}

function wordOf(value: unknown): string {
  if (typeof value !== 'boolean') return shownValue(value);
  return value ? 'yes' : 'no';
}
