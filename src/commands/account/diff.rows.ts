import { comparedValue } from '../../runtime/compared-value.ts';
import { anything, list, oneOf, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** One difference between a folder and the account. */
export type AccountDifference = RowOf<typeof differenceRows>;

export const differenceRows = rows(
  { empty: 'No differences.' },
  {
    file: { schema: text, title: 'FILE', priority: 6 },
    id: { schema: text, title: 'ID', kind: 'id', priority: 1 },
    title: { schema: text, title: 'NAME', priority: 8 },
    /** A setting, an agent of a queue, or an item that is only in the folder or only in the account. */
    kind: { schema: oneOf('missing', 'setting', 'agent'), title: 'KIND', priority: 4 },
    name: { schema: text, title: 'WHAT', priority: 7 },
    /** The value in the folder. For agents and missing items: whether the folder contains them. */
    inFolder: {
      schema: anything,
      title: 'FOLDER',
      priority: 5,
      cell: ({ inFolder }) => comparedValue(inFolder),
    },
    inAccount: {
      schema: anything,
      title: 'ACCOUNT',
      priority: 5,
      cell: ({ inAccount }) => comparedValue(inAccount),
    },
  },
);

/** The output of `account diff`. */
export const accountDiffOutput = list(differenceRows);
