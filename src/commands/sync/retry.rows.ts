import { nullable, optional, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

/** The result of one more request for a record that a sync could not copy. */
export const retryRows = rows(
  { empty: 'Nothing to retry.' },
  {
    extensionId: { schema: text, title: 'MAILBOX', kind: 'id', priority: 3 },
    messageId: { schema: nullable(text), title: 'MESSAGE', kind: 'id', priority: 4 },
    problem: { schema: optional(nullable(text)), title: 'PROBLEM', priority: 2, folds: true },
    status: { schema: text, title: 'STATUS', kind: 'status', priority: 5 },
  },
);

/** Columns of the table, from the left. */
export const retryColumns = ['extensionId', 'messageId', 'status', 'problem'];
