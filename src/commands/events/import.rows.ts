import { integer } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

export const importRows = rows(
  {},
  {
    added: { schema: integer, title: 'ADDED', kind: 'number' },
    /** Events that were already stored. */
    skipped: { schema: integer, title: 'SKIPPED', kind: 'number' },
  },
);
