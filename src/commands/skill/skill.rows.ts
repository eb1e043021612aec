import { oneOf, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** The guide for agents as text. */
export const skillTextRows = rows(
  {},
  { name: { schema: text, title: 'Name' }, text: { schema: text, title: 'Text' } },
);

/** The result of `skill install`. */
export type SkillInstallRow = RowOf<typeof skillInstallRows>;

export const skillInstallRows = rows(
  {},
  {
    file: { schema: text, title: 'File' },
    action: { schema: oneOf('written', 'unchanged', 'not written'), title: 'Action' },
  },
);
