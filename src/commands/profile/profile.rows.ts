import { flag, optional, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

/** A profile of the config file. */
export type ProfileRow = RowOf<typeof profileRows>;

export const profileRows = rows(
  { empty: nextStep`No profiles. To create one: ${ucctl('login --base-url URL')}` },
  {
    name: { schema: text, title: 'NAME', priority: 5 },
    current: { schema: flag, title: 'IN USE', priority: 4, cell: ({ current }) => (current ? '*' : '') },
    baseUrl: { schema: optional(text), title: 'SERVICE', priority: 3 },
    clientId: { schema: optional(text), title: 'APPLICATION', priority: 1 },
    store: { schema: optional(text), title: 'STORE', priority: 2 },
  },
);

/** Columns of profiles, from the left. */
export const profileColumns = ['current', 'name', 'baseUrl', 'clientId', 'store'];

/** A profile that was removed. */
export const removedRows = rows(
  {},
  { name: { schema: text, title: 'Profile' }, removed: { schema: flag, title: 'Removed' } },
);
