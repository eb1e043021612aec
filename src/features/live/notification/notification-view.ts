import { timeOfDay } from '../../../platform/moment.ts';
import type { View } from '../../../runtime/output.ts';
import type { ShownEvent } from './shown-event.ts';
import { describeBody, eventSubject } from './describe.ts';

/** What people call an extension; undefined when it is not known. */
export type NameOfExtension = (id: string) => string | undefined;

/** Columns of the event's name; longer ones are raw paths. */
const [narrowest, widest] = [10, 17];

/**
 * Notifications as live lines: time, event, who, what.
 * @param filters what is subscribed to: as wide as the longest of these names is the column of events.
 */
export function notificationView(nameOf: NameOfExtension, filters: readonly string[]): View<ShownEvent> {
  const width = Math.max(narrowest, ...filters.map((filter) => eventSubject(filter).name.length));
  return {
    unique: 'uuid',
    columns: [
      { key: 'time', title: 'TIME', kind: 'time', value: (row) => isoTime(row.timestamp), priority: 4 },
      {
        key: 'event',
        title: 'EVENT',
        kind: 'text',
        value: (row) => eventSubject(row.event).name,
        priority: 3,
      },
      { key: 'extensionId', title: 'EXTENSION', kind: 'id', value: extensionOf, priority: 2 },
      { key: 'what', title: 'WHAT', kind: 'text', value: describeBody, priority: 1 },
      { key: 'uuid', title: 'UUID', kind: 'id', value: (row) => row.uuid, priority: 0 },
    ],
    line: (row, zone) => lineOf(row, nameOf, Math.min(width, widest), zone),
  };
}

function lineOf(row: ShownEvent, nameOf: NameOfExtension, width: number, zone?: string): string {
  const id = extensionOf(row);
  const who = id === undefined ? '' : (nameOf(id) ?? `extension ${id}`);
  const time = timeOfDay(isoTime(row.timestamp) ?? '', zone) || '--:--:--';
  const what = describeBody(row) || (row.body === undefined ? 'no details' : '');
  const mark = row.recovered ? '(recovered)' : '';
  return [time, eventSubject(row.event).name.padEnd(width), who, what, mark].filter(Boolean).join('  ');
}

function extensionOf(row: ShownEvent): string | undefined {
  const id: unknown = row.body?.['extensionId'];
  return typeof id === 'string' || typeof id === 'number' ? String(id) : eventSubject(row.event).extensionId;
}

/** Services write the offset as `Z`, `+0000` or `+00:00` (EVENT-1). */
function isoTime(timestamp: unknown): string | undefined {
  if (typeof timestamp !== 'string') return undefined;
  const time = new Date(timestamp.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
