import { weekText } from '../../platform/week-text.ts';
import { anyOf, array, nullable, object, optional, record, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

const day = { schema: optional(nullable(text)), isIncluded: true };

/** Business hours: a column for each day, and for tables one column with the whole week. */
export type HoursRow = RowOf<typeof hoursRows>;

export const hoursRows = rows(
  { empty: 'No business hours.' },
  {
    owner: { schema: text, title: 'OWNER', kind: 'id', priority: 2 },
    name: { schema: text, title: 'NAME', priority: 8 },
    monday: { ...day, title: 'MONDAY' },
    tuesday: { ...day, title: 'TUESDAY' },
    wednesday: { ...day, title: 'WEDNESDAY' },
    thursday: { ...day, title: 'THURSDAY' },
    friday: { ...day, title: 'FRIDAY' },
    saturday: { ...day, title: 'SATURDAY' },
    sunday: { ...day, title: 'SUNDAY' },
    week: { title: 'HOURS', priority: 7, least: 34, folds: true, below: '', cell: weekText },
  },
);

/** Business hours as a document, or as rows. */
export const hoursOutput = record(() => anyOf(object({ hours: array(hoursRows) }), array(hoursRows)));
