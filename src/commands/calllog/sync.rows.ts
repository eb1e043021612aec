import { flag, integer, oneOf, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

/** The report of one sync of the call log. */
export const syncRows = rows(
  {},
  {
    scope: { schema: text, title: 'CALLS OF', kind: 'id', priority: 9 },
    from: { schema: text, title: 'FROM', kind: 'time', priority: 4 },
    to: { schema: text, title: 'TO', kind: 'time', priority: 5 },
    syncType: { schema: oneOf('FSync', 'ISync'), title: 'SYNC', priority: 2 },
    resumed: { schema: flag, title: 'RESUMED', priority: 2 },
    received: { schema: integer },
    added: { schema: integer, title: 'ADDED', kind: 'number', priority: 8 },
    changed: { schema: integer, title: 'CHANGED', kind: 'number', priority: 8 },
    unchanged: { schema: integer, title: 'UNCHANGED', kind: 'number', priority: 3 },
    erased: { schema: integer, title: 'ERASED', kind: 'number', priority: 1 },
  },
);

/** Columns of the report, from the left. */
export const syncColumns = [
  'scope',
  'added',
  'changed',
  'unchanged',
  'erased',
  'syncType',
  'resumed',
  'from',
  'to',
];
