import { counted } from '../../platform/counted.ts';
import { fit, fold, padded, widthOf } from '../../platform/text-width.ts';
import { safe } from '../../platform/terminal-text.ts';
import { bar, shade, sparkline } from './chart-text.ts';
import { periodText } from './period.ts';
import { callsOf, labelOf, type CallStats } from './stats.ts';
import type { StatsGroup } from './stats.rows.ts';

/** Maximum number of rows of one chart. The other formats contain all rows. */
const mostRows = 20;
/** Maximum width of a name in columns; longer names are truncated. */
const mostNameColumns = 24;
/** Maximum number of days with a bar. The sparkline shows more days. */
const mostDays = 31;
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/**
 * Formats the statistics as text charts, at most `columns` wide.
 * @param madeAt time of the report in milliseconds since 1970
 */
export function textReport(stats: CallStats, columns: number, madeAt: number): string {
  const { totals } = stats;
  return [
    ...filled([`Calls: ${periodText(stats, madeAt)}`, `(${stats.zone})`], columns, ' '),
    `${counted(totals.calls, 'call')}, ${totals.inbound} inbound, ${totals.outbound} outbound${unknownNote(totals, ' of unknown direction')}`,
    ...filled(
      (['answered', 'missed', 'abandoned', 'voicemail', 'unanswered', 'other'] as const).map(
        (outcome) => `${outcome} ${totals[outcome]}`,
      ),
      columns,
    ),
    ...filled(
      [
        `talk time ${spanText(totals.talkSeconds)}`,
        `${spanText(totals.averageTalkSeconds)} per call`,
        ...levelText(totals.serviceLevel, stats),
      ],
      columns,
    ),
    ...perDay(stats, columns),
    ...bars(
      'hour',
      stats.byHour.filter(({ calls }) => calls > 0).map(({ hour, calls }) => [hourText(hour), calls, '']),
      columns,
      { limit: 24 },
    ),
    ...dayBars(stats, columns),
    ...heatMap(stats, columns),
    ...bars(
      'queue',
      stats.byQueue.map((queue) => [
        labelOf(queue),
        queue.calls,
        `${queue.answered} answered, ${queue.abandoned} abandoned, ${queue.missed} missed${levelNote(queue.serviceLevel, stats)}`,
      ]),
      columns,
    ),
    ...bars(
      'agent',
      stats.byAgent.map((agent) => [
        labelOf(agent),
        callsOf(agent),
        `${agent.inbound} in, ${agent.outbound} out${unknownNote(agent, ' unknown')}, ${counted(agent.missedRings, 'missed ring')}, ${spanText(agent.talkSeconds)} talk`,
      ]),
      columns,
    ),
    ...bars(
      'result',
      stats.byResult.map(({ result, calls }) => [result, calls, '']),
      columns,
    ),
  ].join('\n');
}

/** Formats a share as `87 %`; a dash without a value. */
export function percent(share: number | undefined): string {
  return share === undefined ? '–' : `${Math.round(share * 100)} %`;
}

/** Formats seconds as `3 h 20 min` or `4 min 10 s`. */
export function spanText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** Returns the number of calls without a direction, with this text; empty without such calls. */
function unknownNote({ unknownDirection }: { readonly unknownDirection: number }, text: string): string {
  return unknownDirection === 0 ? '' : `, ${unknownDirection}${text}`;
}

/** Returns the text for the service level of a queue; empty if no call is relevant to the service level. */
function levelNote(level: number | undefined, stats: CallStats): string {
  return level === undefined ? '' : `, ${percent(level)} answered within ${stats.serviceLevelSeconds} s`;
}

function levelText(level: number | undefined, stats: CallStats): readonly string[] {
  return level === undefined ? [] : [`service level ${percent(level)} within ${stats.serviceLevelSeconds} s`];
}

/** Joins parts into lines of at most `columns`. */
function filled(parts: readonly string[], columns: number, gap = '  '): readonly string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = [...lines.slice(-1), part].join(gap);
    if (lines.length > 0 && longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

/** A sparkline of all days, or of the latest days that fit, and their range. Only the range if no line fits. */
function perDay({ byDay }: CallStats, columns: number): readonly string[] {
  const all = byDay.map(({ calls }) => calls);
  if (all.length < 2) return [];
  const textOf = (title: string, days: readonly number[], line = ''): string =>
    `per day${title}  ${line}${Math.min(...days)} to ${Math.max(...days)}`;
  const whole = textOf('', all, `${sparkline(all)}  `);
  if (whole.length <= columns) return [whole];
  const titleOf = (count: number): string => `, last ${count}`;
  // The range of the latest days is not longer than that of all days.
  const room = columns - textOf(titleOf(all.length), all, '  ').length;
  const latest = all.slice(-room);
  return [room < 2 ? textOf('', all) : textOf(titleOf(room), latest, `${sparkline(latest)}  `)];
}

/** Bars of the latest days, oldest first. */
function dayBars({ byDay }: CallStats, columns: number): readonly string[] {
  const hidden = Math.max(0, byDay.length - mostDays);
  const shown = byDay.slice(hidden).map((one): readonly [string, number, string] => {
    const weekday = weekdays[(new Date(one.day).getUTCDay() + 6) % 7] ?? '';
    return [
      `${one.day} ${weekday}`,
      one.calls,
      `${one.answered} answered, ${one.abandoned} abandoned, ${one.missed} missed`,
    ];
  });
  const title = hidden > 0 ? `By day, the last ${mostDays} of ${byDay.length} days` : 'By day';
  return bars('day', shown, columns, { title, limit: mostDays });
}

function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

function bars(
  group: StatsGroup,
  all: readonly (readonly [string, number, string])[],
  columns: number,
  { title = `By ${group}`, limit = mostRows } = {},
): readonly string[] {
  if (all.length === 0) return [];
  const [only] = all;
  // A bar has no meaning without other bars.
  if (only && all.length === 1) return oneLine(title, only, columns);
  const rows = all.slice(0, limit);
  const hidden = all.length - rows.length;
  const names = rows.map(([name]) => fit(safe(name), mostNameColumns));
  const nameWidth = Math.max(...names.map((name) => widthOf(name)));
  const most = Math.max(...rows.map(([, value]) => value));
  const countWidth = String(most).length;
  const moreWidth = Math.max(...rows.map(([, , more]) => more.length));
  const isRoom = columns - nameWidth - countWidth - moreWidth - 8 >= 10;
  const width = Math.max(5, Math.min(50, columns - nameWidth - countWidth - (isRoom ? moreWidth : 0) - 8));
  const lines = rows.map(([, value, more], index) => {
    const name = names[index] ?? '';
    const head = `  ${padded(name, nameWidth)}  ${String(value).padStart(countWidth)}  `;
    const start = `${head}${bar(value, most, width).padEnd(width)}  `;
    if (isRoom || more === '') return `${start}${more}`.trimEnd();
    const below = fold(more, Math.max(1, columns - 4)).map((line) => `    ${line}`);
    return [start.trimEnd(), ...below].join('\n');
  });
  return [
    '',
    title,
    ...lines,
    ...(hidden > 0 ? [`  … and ${hidden} more (to list all rows: --by ${group})`] : []),
  ];
}

/** A group with one value: `By queue: Support (201), 1 call, 0 answered`. */
function oneLine(
  title: string,
  [name, calls, more]: readonly [string, number, string],
  columns: number,
): readonly string[] {
  const parts = [fit(safe(name), mostNameColumns), counted(calls, 'call'), ...(more === '' ? [] : [more])];
  const [first = '', ...rest] = fold(`${title}: ${parts.join(', ')}`, Math.max(1, columns - 2));
  return ['', first, ...rest.map((line) => `  ${line}`)];
}

function heatMap({ byWeekdayAndHour }: CallStats, columns: number): readonly string[] {
  const most = Math.max(...byWeekdayAndHour.flat());
  if (most === 0) return [];
  // With one weekday, the map would only repeat the chart of the hours.
  if (byWeekdayAndHour.filter((row) => row.some((calls) => calls > 0)).length === 1) return [];
  if (columns < 56) {
    const note = `By weekday and hour: use a terminal at least 56 columns wide, or --by weekday-hour -o csv`;
    return ['', ...fold(note, Math.max(1, columns))];
  }
  const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
  const rows = byWeekdayAndHour.map(
    (row, day) => `  ${weekdays[day] ?? ''}  ${row.map((value) => shade(value, most)).join('')}`,
  );
  return [
    '',
    `By weekday and hour, up to ${counted(most, 'call')}`,
    ...rows,
    `       ${hours.map((hour, index) => (index % 2 === 0 ? hour : '  ')).join('')}`,
  ];
}
