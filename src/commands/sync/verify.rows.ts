import { array, integer, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

/** One check of the local mailbox copy. */
export const checkRows = rows(
  {},
  {
    check: { schema: text, title: 'CHECK', priority: 4 },
    checked: { schema: integer, title: 'CHECKED', kind: 'number', priority: 1 },
    wrong: { schema: integer, title: 'WRONG', kind: 'number', priority: 3 },
    details: {
      schema: array(text),
      title: 'DETAILS',
      priority: 2,
      folds: true,
      cell: (row) => row.details.join('; '),
    },
  },
);
