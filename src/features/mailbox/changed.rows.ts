import { list, optional, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** The result of a change for one message. */
export type ChangedMessage = RowOf<typeof changedRows>;

export const changedRows = rows(
  {},
  {
    /** ID of the message; `*` for all messages of a filter, because the service does not return their IDs. */
    id: { schema: text, title: 'ID', kind: 'id', priority: 5 },
    result: { schema: text, title: 'RESULT', kind: 'status', priority: 4 },
    reason: { schema: optional(text), title: 'REASON', priority: 3, folds: true },
  },
);

/** The output of the commands that change messages. */
export const changedOutput = list(changedRows);
