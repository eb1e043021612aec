import { list, optional, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** What became of one of many messages, for people. */
export type ChangedMessage = RowOf<typeof changedRows>;

export const changedRows = rows(
  {},
  {
    /** `*` stands for all that a filter found: the service does not say which they were. */
    id: { schema: text, title: 'ID', kind: 'id', priority: 5 },
    result: { schema: text, title: 'RESULT', kind: 'status', priority: 4 },
    reason: { schema: optional(text), title: 'REASON', priority: 3 },
  },
);

/** What the commands that change messages write. */
export const changedOutput = list(changedRows);
