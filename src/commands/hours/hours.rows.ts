import { anyOf, array, object, optional, record, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

const day = { schema: optional(text), priority: 6 };

/** Business hours, a column for each day. */
export type HoursRow = RowOf<typeof hoursRows>;

export const hoursRows = rows(
  { empty: 'No business hours.' },
  {
    owner: { schema: text, title: 'OWNER', kind: 'id', priority: 7 },
    name: { schema: text, title: 'NAME', priority: 8 },
    monday: { ...day, title: 'MONDAY' },
    tuesday: { ...day, title: 'TUESDAY' },
    wednesday: { ...day, title: 'WEDNESDAY' },
    thursday: { ...day, title: 'THURSDAY' },
    friday: { ...day, title: 'FRIDAY' },
    saturday: { ...day, title: 'SATURDAY' },
    sunday: { ...day, title: 'SUNDAY' },
  },
);

/** Business hours as a document, or as rows. */
export const hoursOutput = record(() => anyOf(object({ hours: array(hoursRows) }), array(hoursRows)));
