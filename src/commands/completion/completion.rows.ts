import { oneOf, optional, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

const shell = oneOf('bash', 'zsh', 'fish', 'powershell');

/** The result of `completion install` or `completion uninstall`. */
export type InstallRow = RowOf<typeof installRows>;

export const installRows = rows(
  {},
  {
    shell: { schema: shell, title: 'Shell' },
    script: { schema: text, title: 'Script' },
    /** The startup file that loads the script; absent for fish, which needs none. */
    startFile: { schema: optional(text), title: 'Startup file' },
    action: {
      schema: oneOf('installed', 'not installed', 'unchanged', 'removed', 'not removed', 'nothing to remove'),
      title: 'Action',
    },
  },
);

/** The completion script of a shell. */
export const scriptRows = rows(
  {},
  { shell: { schema: shell, title: 'Shell' }, script: { schema: text, title: 'Script' } },
);

/** A value that completion suggests. */
export type ValueRow = RowOf<typeof valueRows>;

export const valueRows = rows(
  { empty: 'No values yet. To fetch them: ucctl completion values --refresh' },
  {
    kind: { schema: text, title: 'KIND', priority: 2 },
    value: { schema: text, title: 'VALUE', priority: 3 },
    description: { schema: optional(text), title: 'DESCRIPTION', priority: 1, folds: 1 },
  },
);
