import { messageRows } from '../../features/mailbox/message.rows.ts';
import { optional, recordOrList, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** What became of one text of a list. */
export type ResultRow = RowOf<typeof resultRows>;

export const resultRows = rows(
  {},
  {
    to: { schema: text, title: 'TO', kind: 'phone', priority: 5 },
    status: { schema: text, title: 'STATUS', kind: 'status', priority: 4 },
    message: { schema: optional(text), title: 'MESSAGE', priority: 2 },
  },
);

/** One text as its message, a list as what became of each. */
export const textOutput = recordOrList(messageRows, resultRows);
