import { flag, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

/** The page that `ucctl console` serves. */
export const consoleRows = rows(
  {},
  {
    url: { schema: text, title: 'URL', priority: 9 },
    readOnly: { schema: flag, title: 'READ-ONLY', priority: 5 },
  },
);
