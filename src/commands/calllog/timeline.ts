import { fullTime, timeIn } from '../../platform/moment.ts';
import type { CallLeg, CallLogRecord } from '../../contract/call-log.ts';
import { withPhoneNumbersGrouped } from '../../platform/phone-number-text.ts';
import { safe } from '../../platform/terminal-text.ts';
import { fold } from '../../platform/text-width.ts';
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
  const start = Math.min(...[record, ...legs].map((one) => Date.parse(one.startTime)));
  const end = Math.max(...[record, ...legs].map((one) => Date.parse(one.startTime) + one.duration * 1000));
  const span = Math.max(1000, end - start);
  const startText = isTerminal ? fullTime(record.startTime, zone) : timeIn(record.startTime, zone);
  const head = [
    `${record.direction} ${record.action} · ${record.result} · ${startText} · ${clockText(record.duration)}`,
    `from ${partyText(record.from) || '?'}  to ${partyText(record.to) || '?'}`,
    [
      `session ${record.sessionId}`,
      `record ${record.id}`,
      ...(record.recording ? [`recording ${record.recording.id}`] : []),
      ...(record.message ? [`message ${record.message.id}`] : []),
    ].join('  '),
  ];
  const widthsOf = (rows: readonly (readonly string[])[]): readonly number[] =>
    [0, 1, 2, 3, 4, 5].map((column) => Math.max(0, ...rows.map((cells) => (cells[column] ?? '').length)));
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
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .filter((cell) => cell !== '')
      .join('  ')}`.trimEnd(),
  );
  const all = [...head.map(safe).map(grouped), ...lines];
  return (isTerminal ? all.flatMap((line) => wrapped(line, columns)) : all).join('\n');
}

/** Wraps a line with a hanging indent. */
function wrapped(line: string, columns: number): readonly string[] {
  const [first = ''] = fold(line, columns);
  const rest = line.slice(first.length).trimStart();
  return rest === '' ? [first] : [first, ...fold(rest, Math.max(1, columns - 4)).map((one) => `    ${one}`)];
}

function legCells(leg: CallLeg, start: number, span: number, width: number): readonly string[] {
  const begins = Date.parse(leg.startTime) - start;
  const at = Math.min(Math.max(0, width - 1), Math.floor((begins / span) * width));
  const length = Math.max(1, Math.round(((leg.duration * 1000) / span) * width));
  const bar = width === 0 ? '' : `${' '.repeat(at)}${'█'.repeat(Math.min(length, width - at))}`.padEnd(width);
  const who =
    leg.direction === 'Outbound' && leg.to?.phoneNumber !== undefined ? leg.to : (leg.to ?? leg.from);
  return [
    `+${clockText(Math.round(begins / 1000))}`,
    bar,
    clockText(leg.duration),
    safe(leg.legType),
    safe(partyText(who)),
    safe(leg.result),
  ];
}
