import { integer, nullable, number, text, time } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

/** The state of one sync scope of a mailbox, or of the call log (type Calls), which has a number of calls in place of messages. */
export const statusRows = rows(
  {
    empty: nextStep`Nothing copied yet. To copy your mailbox: ${ucctl('sync')}; to copy the call log: ${ucctl('calllog sync')}`,
  },
  {
    mailbox: { schema: text, title: 'MAILBOX', kind: 'id', priority: 9 },
    extensionId: { schema: text },
    type: { schema: nullable(text), title: 'TYPE', priority: 8, cell: (row) => row.type ?? 'all' },
    direction: { schema: nullable(text) },
    dateFrom: { schema: nullable(text), title: 'FROM', kind: 'time', priority: 1 },
    messages: { schema: integer, title: 'MESSAGES', kind: 'number', priority: 8 },
    deleted: { schema: integer, title: 'DELETED', kind: 'number', priority: 2 },
    errors: { schema: integer, title: 'ERRORS', kind: 'number', priority: 7 },
    syncTime: { schema: nullable(time), title: 'COPIED', kind: 'time', priority: 6 },
    lagSeconds: { schema: nullable(number), title: 'LAG (S)', kind: 'number', priority: 5 },
    fullSyncTime: { schema: nullable(time) },
    calls: { schema: nullable(integer), title: 'CALLS', kind: 'number', priority: 4 },
  },
);

export type StatusRow = RowOf<typeof statusRows>;

/** Columns of the table, from the left. */
export const statusColumns = [
  'mailbox',
  'type',
  'messages',
  'calls',
  'deleted',
  'errors',
  'syncTime',
  'lagSeconds',
  'dateFrom',
];
