import { anything, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';
import { cellOf } from './json-cell.rows.ts';

/** A setting of a sandbox, for formats with one row for each setting. */
export const settingRows = rows(
  {},
  {
    name: { schema: text, title: 'NAME', priority: 2 },
    value: { schema: anything, title: 'VALUE', priority: 1, cell: ({ value }) => cellOf(value) },
  },
);
