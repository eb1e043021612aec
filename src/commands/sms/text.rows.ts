import { messageRows } from '../../features/mailbox/message.rows.ts';
import { oneOf, optional, recordOrList, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

const textStatuses = ['sent', 'duplicate', 'failed', 'unknown', 'not-sent'] as const;

/** The status of a text of a list. `duplicate`: an earlier run with the same `--dedupe-key` sent the text. */
export type TextStatus = (typeof textStatuses)[number];

/** The result of one text of a list. */
export type ResultRow = RowOf<typeof resultRows>;

export const resultRows = rows(
  {},
  {
    to: { schema: text, title: 'TO', kind: 'phone', priority: 5 },
    status: {
      schema: oneOf(...textStatuses),
      title: 'STATUS',
      kind: 'status',
      priority: 4,
      shown: ({ status }) => (status === 'duplicate' ? 'already sent' : status),
    },
    message: { schema: optional(text), title: 'MESSAGE', priority: 3, folds: true, below: '' },
    /** ID of the message that the service accepted; also of a duplicate. Absent for texts of a batch and unknown outcomes. */
    id: { schema: optional(text) },
  },
);

/** The message of one text, or the result of each text of a list. */
export const textOutput = recordOrList(messageRows, resultRows);
