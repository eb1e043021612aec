import { anything, array, flag, id, optional, text } from '../../../runtime/output-schema.ts';
import { rows } from '../../../runtime/rows.ts';
import { kindOfFilter } from './event-kinds.ts';

/** A notification in the form that `subscribe tail` and `webhook listen` write. */
export const notificationRows = rows(
  {},
  {
    uuid: { schema: text, title: 'UUID', kind: 'id', priority: 0, cell: (row) => uuidOf(row.uuid) },
    event: { schema: text, title: 'EVENT', priority: 3, cell: (row) => eventSubject(row.event).name },
    timestamp: {
      schema: text,
      key: 'time',
      title: 'TIME',
      kind: 'time',
      priority: 4,
      cell: (row) => isoTime(row.timestamp),
    },
    subscriptionId: { schema: optional(text) },
    ownerId: { schema: optional(id) },
    body: { schema: optional(anything) },
    recovered: { schema: optional(flag) },
    extensionId: { title: 'EXTENSION', kind: 'id', priority: 2, cell: (row) => extensionOf(row) },
    /** The person and the action, as one sentence. */
    details: { schema: optional(text), title: 'DETAILS', priority: 5, folds: 3 },
    /** The new messages of a mailbox event, newest first, if ucctl read them. */
    messages: { schema: optional(array(anything)) },
  },
);

/** The subject of an event path, as in a filter or the `event` of a notification. */
export interface EventSubject {
  /** Short name of the event; the path itself if it has no short name. */
  readonly name: string;
  /** ID of the extension in the path. */
  readonly extensionId?: string;
}

/** Parses an event path, the inverse of `toFilters`. Query parameters may have any order. */
export function eventSubject(event: string): EventSubject {
  const [path = '', query = ''] = event.split('?', 2);
  const parameters = new URLSearchParams(query);
  if (/\/subscription\/[^/]+$/.test(path) && parameters.has('threshold')) {
    return { name: `reminder:${parameters.get('threshold')},${parameters.get('interval') ?? '?'}` };
  }
  const ofExtension = /\/extension\/([^/]+)(\/[^]+)$/.exec(path);
  if (ofExtension) {
    const [, extensionId = '', rest = ''] = ofExtension;
    const name = kindOfFilter({ owner: 'extension', path: rest }, parameters);
    return name === undefined ? { name: event } : { name, extensionId };
  }
  const [, ofAccount = ''] = /\/account\/[^/]+(\/[^]+)$/.exec(path) ?? [];
  return { name: kindOfFilter({ owner: 'account', path: ofAccount }, parameters) ?? event };
}

/** The parts of a notification that describe what happened. */
interface Described {
  readonly event: string;
  readonly body?: unknown;
}

/** Returns the ID of the extension that a notification is about, from its body or its path. */
export function extensionOf({ event, body }: Described): string | undefined {
  const id = fieldsOf(body)['extensionId'];
  if (typeof id === 'string' || typeof id === 'number') return String(id);
  // Also in a path that has no short name.
  return /\/extension\/([^/?]+)\//.exec(event.split('?', 1)[0] ?? '')?.[1];
}

/** Returns the uuid of a notification, which a service can omit or write in another form. */
export function uuidOf(uuid: unknown): string {
  return typeof uuid === 'string' ? uuid : '';
}

/** Returns the time of a notification in ISO 8601. Services write the offset as `Z`, `+0000` or `+00:00` (EVENT-1). */
export function isoTime(timestamp: unknown): string | undefined {
  if (typeof timestamp !== 'string') return undefined;
  const time = new Date(timestamp.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
