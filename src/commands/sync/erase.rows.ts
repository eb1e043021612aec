import { array, flag, integer, nullable, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

/** The erased data of one number. */
export const erasedRows = rows(
  {},
  {
    number: { schema: text, title: 'NUMBER', kind: 'phone', priority: 6 },
    erased: { schema: flag, title: 'ERASED', priority: 5 },
    messages: { schema: integer, title: 'MESSAGES', kind: 'number', priority: 4 },
    versions: { schema: integer, title: 'VERSIONS', kind: 'number', priority: 1 },
    attachments: { schema: integer, title: 'ATTACHMENTS', kind: 'number', priority: 2 },
    /** Call records with the number, made by `calllog sync`. */
    calls: { schema: integer, title: 'CALLS', kind: 'number', priority: 3 },
    first: { schema: nullable(text) },
    last: { schema: nullable(text) },
    hold: { schema: nullable(text) },
    exports: { schema: array(text) },
  },
);
