import { list, oneOf, optional, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

const statuses = [
  'read',
  'unread',
  'deleted',
  'purged',
  'restored',
  'unchanged',
  'failed',
  'unknown',
] as const;

/** The result of a change for one message. */
export type ChangedMessage = RowOf<typeof changedRows>;

export const changedRows = rows(
  {},
  {
    /** ID of the message; `*` for all messages of a filter, because the service does not return their IDs. */
    id: { schema: text, title: 'ID', kind: 'id', priority: 5 },
    status: { schema: oneOf(...statuses), title: 'STATUS', kind: 'status', priority: 4 },
    problem: { schema: optional(text), title: 'PROBLEM', priority: 3, folds: true },
    /** Which messages a deletion by filter includes; only with the ID `*`. */
    filter: { schema: optional(text), title: 'FILTER', priority: 3, folds: true },
  },
);

/** The output of the commands that change messages. */
export const changedOutput = list(changedRows);
