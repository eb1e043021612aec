import { anything, flag, oneOf, optional, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

const line = {
  command: { schema: text, title: 'COMMAND', priority: 9, whole: true },
  summary: { schema: text, title: 'SUMMARY', priority: 8, folds: 1 },
  mutates: { schema: flag, title: 'CHANGES', priority: 4 },
  outputType: { schema: oneOf('document', 'lines', 'nothing'), title: 'OUTPUT', priority: 5 },
};

/** A command of `schema --list`. */
export type LineRow = RowOf<typeof lineRows>;

export const lineRows = rows({}, line);

/** One command with its schemas, each a JSON Schema document. */
export const commandRows = rows(
  {},
  {
    ...line,
    input: { schema: anything },
    output: { schema: anything },
    /** The schema of unsent requests; only for commands that make changes. */
    dryRun: { schema: optional(anything) },
    errors: { schema: anything },
  },
);

/** Columns of both kinds of rows, from the left. */
export const lineColumns = ['command', 'outputType', 'mutates', 'summary'];
