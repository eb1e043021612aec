import { timeIn } from '../../platform/moment.ts';
import type { CallLeg, CallLogRecord } from '../../contract/call-log.ts';
import { safe } from '../../platform/terminal-text.ts';
import { clockText, partyText } from './call-view.ts';

/** A call and its legs, each as a bar on the call's time; `width` is that of the bars, `zone` that of its beginning (UTC). */
export function timelineText(record: CallLogRecord, width: number, zone?: string): string {
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
  const rows = legs.map((leg) => legCells(leg, start, span, width));
  const widths = [0, 1, 2, 3, 4, 5].map((column) =>
    Math.max(0, ...rows.map((cells) => (cells[column] ?? '').length)),
  );
  const lines = rows.map((cells) =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
  return [...head.map(safe), ...lines].join('\n');
}

function legCells(leg: CallLeg, start: number, span: number, width: number): readonly string[] {
  const begins = Date.parse(leg.startTime) - start;
  const at = Math.min(width - 1, Math.floor((begins / span) * width));
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
