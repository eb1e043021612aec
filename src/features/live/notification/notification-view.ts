import { localTime } from '../../../platform/local-time.ts';
import { timeOfDay } from '../../../platform/moment.ts';
import { safe } from '../../../platform/terminal-text.ts';
import { fit, fold } from '../../../platform/text-width.ts';
import type { View } from '../../../runtime/output.ts';
import type { DescribedEvent, EventDescriber } from '../describe/event-describer.ts';
import { isoTime, notificationRows } from './notification.rows.ts';

/**
 * Shows notifications as lines with the time, the person and the action. The date precedes the first line and the first
 * line of each day; the first date names the time zone.
 */
export function notificationView(describer: Pick<EventDescriber, 'textOf'>): View<DescribedEvent> {
  let day = '';
  const heading = (time: string, zone = 'UTC'): readonly string[] => {
    const date = localTime(time, zone).day;
    if (date === day) return [];
    const place = day === '' ? ` (${zone})` : '';
    day = date;
    return [`${date}${place}`];
  };
  return {
    unique: 'uuid',
    ...notificationRows.pick(['timestamp', 'event', 'extensionId', 'details', 'uuid']),
    line: (row, zone, columns) => {
      const { head, quote } = describer.textOf(row);
      const at = isoTime(row.timestamp) ?? '';
      const time = timeOfDay(at, zone) || '--:--:--';
      const start = safe([time, row.recovered ? '(recovered)' : '', head].filter(Boolean).join('  '));
      const lines = wrapped(start, quote === undefined ? '' : safe(quote), columns);
      return time.startsWith('-') ? lines : [...heading(at, zone), ...lines];
    },
  };
}

/** Maximum number of lines of a quoted text; the last line ends with `…` if more text follows. */
const maxQuoteLines = 3;
/** Minimum terminal width at which further lines of an event are aligned below the first word after the time. */
const wide = 60;

/**
 * Wraps the line of an event with a hanging indent. The quoted text may be truncated, but never the names before it.
 */
function wrapped(start: string, quote: string, columns: number | undefined): readonly string[] {
  const text = quote === '' ? start : `${start}: ${quote}`;
  if (columns === undefined || columns <= 0) return [text];
  const indent = columns < wide ? 2 : 10;
  const lines = hanging(text, columns, indent);
  const most = quote === '' ? lines.length : hanging(start, columns, indent).length + maxQuoteLines - 1;
  const shown = lines.length <= most ? lines : cut(lines, most, columns - indent);
  return shown.map((line, at) => (at === 0 ? line : ' '.repeat(indent) + line));
}

function hanging(text: string, columns: number, indent: number): readonly string[] {
  const [first = ''] = fold(text, columns);
  const rest = text.slice(first.length).trimStart();
  return rest === '' ? [first] : [first, ...fold(rest, Math.max(1, columns - indent))];
}

function cut(lines: readonly string[], most: number, width: number): readonly string[] {
  return [...lines.slice(0, most - 1), fit(lines.slice(most - 1).join(' '), width)];
}
