import { fullTime, timeIn } from '../../platform/moment.ts';
import type { CallLeg, CallLogRecord } from '../../contract/call-log.ts';
import { withPhoneNumbersGrouped } from '../../platform/phone-number-text.ts';
import { safe } from '../../platform/terminal-text.ts';
import { fold, padded, widthOf } from '../../platform/text-width.ts';
import { clockText, partyText } from './call.rows.ts';

/** Minimum width of a readable bar, in columns. */
const leastBar = 8;
const longestBar = 48;

/**
 * Draws a call with each leg as a bar on a time axis, at most `columns` wide; a narrow terminal shows no bars. The
 * start time is shown in `zone` (default UTC).
 * @param isTerminal groups the digits of phone numbers and wraps the lines
 */
export function timelineText(
  record: CallLogRecord,
  { columns, zone, isTerminal }: { columns: number; zone?: string | undefined; isTerminal: boolean },
): string {
  const legs = record.legs ?? [];
  const { start, span } = spanOf([record, ...legs]);
  const startText = isTerminal ? fullTime(known(record.startTime), zone) : timeIn(record.startTime, zone);
  const head = [
    [
      `${known(record.direction)} ${known(record.action)}`.trim(),
      known(record.result),
      startText,
      lengthText(record.duration),
    ]
      .filter((text) => text !== '')
      .join(' · '),
    `from ${partyText(record.from) || '?'}  to ${partyText(record.to) || '?'}`,
    [
      ...(known(record.sessionId) === '' ? [] : [`session ${record.sessionId}`]),
      `record ${record.id}`,
      ...(record.recording ? [`recording ${record.recording.id}`] : []),
      ...(record.message ? [`message ${record.message.id}`] : []),
    ].join('  '),
  ];
  const widthsOf = (rows: readonly (readonly string[])[]): readonly number[] =>
    [0, 1, 2, 3, 4, 5].map((column) => Math.max(0, ...rows.map((cells) => widthOf(cells[column] ?? ''))));
  const grouped = (text: string): string => (isTerminal ? withPhoneNumbersGrouped(text) : text);
  const cellsOf = (leg: CallLeg, bar: number): readonly string[] =>
    legCells(leg, start, span, bar).map(grouped);
  // Width of the other columns, with the gaps between them.
  const otherColumns = widthsOf(legs.map((leg) => cellsOf(leg, 0))).reduce((a, b) => a + b + 2, 0);
  const room = columns - otherColumns;
  const width = isTerminal && room < leastBar ? 0 : Math.max(leastBar, Math.min(longestBar, room));
  const rows = legs.map((leg) => cellsOf(leg, width));
  const widths = widthsOf(rows);
  const lines = rows.map((cells) =>
    `  ${cells
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .filter((cell) => cell !== '')
      .join('  ')}`.trimEnd(),
  );
  const all = [...head.map(safe).map(grouped), ...lines];
  return (isTerminal ? all.flatMap((line) => wrapped(line, columns)) : all).join('\n');
}

/** The times of a record or a leg, which the service may omit. */
interface Timed {
  readonly startTime?: string | undefined;
  readonly duration?: number | undefined;
}

/** Returns the earliest start, and the milliseconds from there to the latest end. Records without a time are ignored. */
function spanOf(records: readonly Timed[]): { readonly start: number; readonly span: number } {
  const timed = records.flatMap(({ startTime, duration = 0 }) => {
    const at = Date.parse(startTime ?? '');
    return Number.isNaN(at) ? [] : [{ at, end: at + duration * 1000 }];
  });
  const start = Math.min(...timed.map(({ at }) => at));
  const end = Math.max(...timed.map((one) => one.end));
  return { start, span: Math.max(1000, end - start) };
}

/** Returns the text of a member that the service may omit. */
function known(text: string | undefined): string {
  return text ?? '';
}

function lengthText(seconds: number | undefined): string {
  return seconds === undefined ? '' : clockText(seconds);
}

/** Wraps a line with a hanging indent. */
function wrapped(line: string, columns: number): readonly string[] {
  const [first = ''] = fold(line, columns);
  const rest = line.slice(first.length).trimStart();
  return rest === '' ? [first] : [first, ...fold(rest, Math.max(1, columns - 4)).map((one) => `    ${one}`)];
}

function legCells(leg: CallLeg, start: number, span: number, width: number): readonly string[] {
  const { startTime, duration }: Timed = leg;
  const begins = Date.parse(startTime ?? '') - start;
  const who =
    leg.direction === 'Outbound' && leg.to?.phoneNumber !== undefined ? leg.to : (leg.to ?? leg.from);
  return [
    Number.isNaN(begins) ? '' : `+${clockText(Math.round(begins / 1000))}`,
    barText(begins / span, ((duration ?? 0) * 1000) / span, width),
    lengthText(duration),
    safe(known(leg.legType)),
    safe(partyText(who)),
    safe(known(leg.result)),
  ];
}

/** Draws a leg that begins after a share of the time axis; nothing for a leg without a time. */
function barText(begins: number, share: number, width: number): string {
  if (Number.isNaN(begins) || width === 0) return ' '.repeat(width);
  const at = Math.min(Math.max(0, width - 1), Math.floor(begins * width));
  const length = Math.max(1, Math.round(share * width));
  return `${' '.repeat(at)}${'█'.repeat(Math.min(length, width - at))}`.padEnd(width);
}
