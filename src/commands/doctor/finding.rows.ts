import { oneOf, optional, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** A finding in the output. */
export type FindingRow = RowOf<typeof findingRows>;

export const findingRows = rows(
  {},
  {
    check: { schema: text, title: 'CHECK', priority: 3 },
    result: { schema: oneOf('ok', 'warn', 'fail'), title: 'RESULT', kind: 'status', priority: 4 },
    found: { schema: text, title: 'FOUND', priority: 2, folds: true },
    todo: { schema: optional(text), title: 'FIX', priority: 2, folds: true },
  },
);
