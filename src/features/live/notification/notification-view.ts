import { timeOfDay } from '../../../platform/moment.ts';
import { safe } from '../../../platform/terminal-text.ts';
import { fit, widthOf } from '../../../platform/text-width.ts';
import type { View } from '../../../runtime/output.ts';
import type { DescribedEvent, EventDescriber } from '../describe/event-describer.ts';
import { isoTime, notificationRows } from './notification.rows.ts';

/** Shows notifications as lines: the time, and who did what. */
export function notificationView(describer: Pick<EventDescriber, 'textOf'>): View<DescribedEvent> {
  return {
    unique: 'uuid',
    ...notificationRows.pick(['timestamp', 'event', 'extensionId', 'details', 'uuid']),
    line: (row, zone, columns) => {
      const { head, quote } = describer.textOf(row);
      const time = timeOfDay(isoTime(row.timestamp) ?? '', zone) || '--:--:--';
      const start = safe([time, row.recovered ? '(recovered)' : '', head].filter(Boolean).join('  '));
      return quote === undefined ? start : withQuote(start, safe(quote), columns);
    },
  };
}

/** Minimum width of a quoted text that is cut. With less room, the text continues on the next line of the terminal. */
const minQuote = 16;

/** Cuts the quoted text at the end of a line of the terminal, but never the names before it. */
function withQuote(start: string, quote: string, columns: number | undefined): string {
  if (columns === undefined || columns <= 0) return `${start}: ${quote}`;
  const rest = columns - ((widthOf(start) + 2) % columns);
  return `${start}: ${fit(quote, rest < minQuote ? rest + columns : rest)}`;
}
