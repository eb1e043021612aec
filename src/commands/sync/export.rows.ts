import { flag, integer, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

/** The report of an export. */
export const exportRows = rows(
  {},
  {
    target: { schema: text, title: 'TARGET', priority: 3 },
    format: { schema: text, title: 'FORMAT', priority: 2 },
    messages: { schema: integer, title: 'MESSAGES', kind: 'number', priority: 4 },
    incremental: { schema: flag, title: 'INCREMENTAL', priority: 1 },
  },
);

/** Columns of the report, from the left. */
export const exportColumns = ['messages', 'format', 'incremental', 'target'];
