import { integer, oneOf, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** The result of `man install` or `man uninstall`. */
export type ManRow = RowOf<typeof manRows>;

export const manRows = rows(
  {},
  {
    /** The folder that contains the pages. */
    folder: { schema: text, title: 'Folder' },
    pages: { schema: integer, title: 'Pages' },
    action: {
      schema: oneOf('installed', 'not installed', 'unchanged', 'removed', 'not removed', 'nothing to remove'),
      title: 'Action',
    },
  },
);
