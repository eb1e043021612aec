import { integer, oneOf, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

/** The result of copying one mailbox, or the calls of one scope. */
export const copyRows = rows(
  { empty: 'The file contains no mailboxes.' },
  {
    part: { schema: text, title: 'PART', kind: 'id', priority: 9 },
    rows: { schema: integer, title: 'ROWS', kind: 'number', priority: 8 },
    result: { schema: oneOf('copied', 'already copied'), title: 'RESULT', kind: 'status', priority: 7 },
    checksum: { schema: text, title: 'CHECKSUM', priority: 1 },
  },
);
