import { integer, list, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** One file of an exported account. */
export type ExportedFile = RowOf<typeof exportedFileRows>;

export const exportedFileRows = rows(
  { empty: 'No files.' },
  {
    file: { schema: text, title: 'FILE', priority: 9 },
    items: { schema: integer, title: 'ITEMS', kind: 'number', priority: 7 },
    /** The command that compares an edited file with the account. */
    plan: { schema: text, title: 'PLAN', priority: 8 },
  },
);

/** The output of `account export`. */
export const exportedFilesOutput = list(exportedFileRows);
