import { flag, integer, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

/** What a sync of the call log did. */
export const syncRows = rows(
  {},
  {
    scope: { schema: text, title: 'CALLS OF', kind: 'id', priority: 9 },
    from: { schema: text, title: 'FROM', kind: 'time', priority: 4 },
    to: { schema: text, title: 'TO', kind: 'time', priority: 5 },
    resumed: { schema: flag, title: 'RESUMED', priority: 2 },
    received: { schema: integer },
    added: { schema: integer, title: 'ADDED', kind: 'number', priority: 8 },
    changed: { schema: integer, title: 'CHANGED', kind: 'number', priority: 8 },
    unchanged: { schema: integer, title: 'UNCHANGED', kind: 'number', priority: 3 },
    withheld: { schema: integer, title: 'WITHHELD', kind: 'number', priority: 1 },
  },
);

/** Columns of the report, from the left: what changed first. */
export const syncColumns = ['scope', 'added', 'changed', 'unchanged', 'withheld', 'resumed', 'from', 'to'];
