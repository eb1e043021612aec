import { anyOf, array, nullable, object, optional, record, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

const day = { schema: optional(nullable(text)), isIncluded: true };

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** Business hours: a column for each day, and for tables one column with the whole week. */
export type HoursRow = RowOf<typeof hoursRows>;

/** Returns the hours of a week with equal days together: `Mon-Fri 09:00-18:00; Sat-Sun closed`. */
function weekText(row: { readonly [day in (typeof days)[number]]?: string | null | undefined }): string {
  const parts: { readonly from: string; to: string; readonly hours: string }[] = [];
  for (const name of days) {
    const hours = row[name] ?? '';
    const short = `${name.slice(0, 1).toUpperCase()}${name.slice(1, 3)}`;
    const last = parts.at(-1);
    if (last?.hours === hours) last.to = short;
    else parts.push({ from: short, to: short, hours });
  }
  return parts
    .filter(({ hours }) => hours !== '')
    .map(({ from, to, hours }) => `${from === to ? from : `${from}-${to}`} ${hours}`)
    .join('; ');
}

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
