import { isJsonObject } from './json.ts';
import { lookupTable } from './lookup-table.ts';
import { weekText } from './week-text.ts';

const refs: Readonly<Record<string, string>> = lookupTable({
  BusinessHours: 'business hours',
  AfterHours: 'after hours',
});

/**
 * Returns when the schedule of a rule applies, such as `2026-12-24 00:00Z to 2026-12-27 00:00Z`; undefined for a value
 * that is not a schedule.
 */
export function scheduleText(value: unknown): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const parts = Object.entries(value)
    .filter(([, member]) => member !== null)
    .map(([name, member]) => memberText(name, member));
  return parts.includes(undefined) ? undefined : parts.join('; ') || undefined;
}

function memberText(name: string, value: unknown): string | undefined {
  if (name === 'ref') return typeof value === 'string' ? (refs[value] ?? value) : undefined;
  if (name === 'ranges')
    return rangesText(value, ({ from, to }) => `${instantText(from)} to ${instantText(to)}`);
  if (name !== 'weeklyRanges' || !isJsonObject(value)) return undefined;
  const week = Object.entries(value).map(
    ([day, ranges]) => [day, rangesText(ranges, ({ from, to }) => `${from}-${to}`)] as const,
  );
  return week.some(([, text]) => text === undefined)
    ? undefined
    : weekText(Object.fromEntries(week)) || undefined;
}

interface Range {
  readonly from: string;
  readonly to: string;
}

function rangesText(value: unknown, textOf: (range: Range) => string): string | undefined {
  return Array.isArray(value) && value.every(isRange) ? value.map(textOf).join(', ') : undefined;
}

function isRange(value: unknown): value is Range {
  return isJsonObject(value) && typeof value['from'] === 'string' && typeof value['to'] === 'string';
}

/** Returns a time without its `T` and without zero seconds. Times in another form are not changed. */
function instantText(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::00(?:\.0+)?)?(?=Z|[+-]|$)/, '$1 $2');
}
