import { flag, oneOf, optional, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

/** Whether the policy allows a request to a number. */
export const policyTestRows = rows(
  {},
  {
    number: { schema: text, title: 'NUMBER', kind: 'phone', priority: 4 },
    kind: { schema: oneOf('sms', 'fax', 'ringout'), title: 'KIND', priority: 1 },
    allowed: {
      schema: flag,
      title: 'ALLOWED',
      kind: 'status',
      priority: 3,
      cell: ({ allowed }) => (allowed ? 'yes' : 'no'),
    },
    /** The reason why the policy blocks the request. */
    reason: { schema: optional(text), title: 'REASON', priority: 2, folds: true },
  },
);
