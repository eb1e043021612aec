import { timeIn } from '../../platform/moment.ts';
import type { CallLeg, CallLogRecord } from '../../contract/call-log.ts';
import { safe } from '../../platform/terminal-text.ts';
import { clockText, partyText } from './call.rows.ts';

/** Minimum width of a readable bar, in columns. */
const leastBar = 8;
const longestBar = 48;

/** A call with each leg as a bar on a time axis, at most `columns` wide. The start time is shown in `zone` (default UTC). */
export function timelineText(record: CallLogRecord, columns: number, zone?: string): string {
  const legs = record.legs ?? [];
  const start = Math.min(...[record, ...legs].map((one) => Date.parse(one.startTime)));
  const end = Math.max(...[record, ...legs].map((one) => Date.parse(one.startTime) + one.duration * 1000));
  const span = Math.max(1000, end - start);
  const head = [
    `${record.direction} ${record.action} · ${record.result} · ${timeIn(record.startTime, zone)} · ${clockText(record.duration)}`,
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
  // Width of the other columns, with the gaps between them.
  const otherColumns = widthsOf(legs.map((leg) => legCells(leg, start, span, 0))).reduce(
    (a, b) => a + b + 2,
    0,
  );
  const width = Math.max(leastBar, Math.min(longestBar, columns - otherColumns));
  const rows = legs.map((leg) => legCells(leg, start, span, width));
  const widths = widthsOf(rows);
  const lines = rows.map((cells) =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
  return [...head.map(safe), ...lines].join('\n');
}

function legCells(leg: CallLeg, start: number, span: number, width: number): readonly string[] {
  const begins = Date.parse(leg.startTime) - start;
  const at = Math.min(Math.max(0, width - 1), Math.floor((begins / span) * width));
  const length = Math.max(1, Math.round(((leg.duration * 1000) / span) * width));
  const bar = `${' '.repeat(at)}${'█'.repeat(Math.min(length, width - at))}`.padEnd(width);
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
