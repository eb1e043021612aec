import type { ResourceChange, Value } from './change.ts';
import { settingText } from '../../platform/setting-text.ts';
import { anything, list, nullable, oneOf, text } from '../../runtime/output-schema.ts';
import { rows, source, type RowOf } from '../../runtime/rows.ts';
import { unmadeStatuses, type ChangeStatus } from '../../runtime/change-status.ts';

const statuses = ['created', 'changed', 'planned', ...unmadeStatuses] as const;

/** The result of a change. */
type ResourceStatus = (typeof statuses)[number];

/** One setting of one change. */
interface Setting {
  readonly change: ResourceChange;
  readonly name: string;
  readonly status: ChangeStatus | 'planned';
}

/** One setting of one resource, before and after a change. */
export type ResourceRow = RowOf<typeof resourceRows>;

export const resourceRows = rows(
  { source: source<Setting>(), empty: 'No changes.' },
  {
    id: {
      schema: nullable(text),
      from: ({ change }) => change.id,
      title: 'ID',
      kind: 'id',
      priority: 1,
    },
    title: { schema: text, from: ({ change }) => change.title, title: 'NAME', priority: 7 },
    action: {
      schema: oneOf('create', 'update'),
      from: ({ change }) => change.action,
      title: 'ACTION',
      priority: 5,
    },
    setting: { schema: text, from: ({ name }) => name, title: 'SETTING', priority: 6 },
    before: {
      schema: anything,
      from: ({ change, name }) => change.before[name] ?? null,
      title: 'BEFORE',
      cell: ({ before }) => cellOf(before as Value),
      shown: ({ before }) => settingText(before) ?? cellOf(before as Value),
      priority: 3,
    },
    after: {
      schema: anything,
      from: ({ change, name }) => change.after[name] ?? null,
      title: 'AFTER',
      cell: ({ after }) => cellOf(after as Value),
      shown: ({ after }) => settingText(after) ?? cellOf(after as Value),
      priority: 4,
    },
    status: {
      schema: oneOf(...statuses),
      from: ({ change: { action }, status }) => statusOf(action, status),
      title: 'STATUS',
      kind: 'status',
      priority: 8,
    },
  },
);

/** The output of the commands that plan or apply settings. */
export const resourceOutput = list(resourceRows);

function statusOf(action: ResourceChange['action'], status: Setting['status']): ResourceStatus {
  if (status !== 'ok') return status;
  return action === 'create' ? 'created' : 'changed';
}

function cellOf(value: Value): string | number | boolean | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

/** The rows of changes: one for each setting. */
export function resourceRowsOf(
  changes: readonly { readonly change: ResourceChange; readonly status: Setting['status'] }[],
): readonly ResourceRow[] {
  return changes.flatMap(({ change, status }) =>
    Object.keys(change.after).map((name) => resourceRows.row({}, { change, name, status })),
  );
}
