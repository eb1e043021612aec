import type { Notification } from '../../../contract/subscription.ts';

/** What a filter or a notification's `event` path is about. */
export interface EventSubject {
  /** Short name; the path itself when it has none. */
  readonly name: string;
  /** Id of the extension in the path. */
  readonly extensionId?: string;
}

/** The way back from a path to the short name that makes it. Query parameters may come in any order. */
export function eventSubject(event: string): EventSubject {
  const [path = '', query = ''] = event.split('?', 2);
  const parameters = new URLSearchParams(query);
  if (/\/subscription\/[^/]+$/.test(path) && parameters.has('threshold')) {
    return { name: `reminder:${parameters.get('threshold')},${parameters.get('interval') ?? '?'}` };
  }
  if (/\/account\/[^/]+\/extension$/.test(path)) return { name: 'extensions' };
  const match = /\/extension\/([^/]+)\/(message-store|presence\/line|presence)$/.exec(path);
  if (!match) return { name: event };
  const [, extensionId = '', tail = ''] = match;
  return { name: nameOf(tail, parameters), extensionId };
}

function nameOf(tail: string, parameters: URLSearchParams): string {
  if (tail === 'message-store') return 'messages';
  if (tail === 'presence/line') return 'lines';
  if (parameters.get('sipData') === 'true') return 'presence:sip';
  return parameters.get('detailedTelephonyState') === 'true' ? 'presence:detailed' : 'presence';
}

/** What happened, in a few words, from the bodies that the facts list (1.3). Empty when the body says nothing known. */
export function describeBody(notification: Pick<Notification, 'event' | 'body'>): string {
  const body = notification.body ?? {};
  const { name } = eventSubject(notification.event);
  if (name === 'messages') return describeChanges(body['changes']);
  if (name.startsWith('presence')) return describePresence(body);
  if (name === 'extensions') return describeExtensions(body['extensions']);
  if (name.startsWith('reminder')) return `subscription ends in ${words(body['expiresIn'])} s`;
  return '';
}

function describeChanges(changes: unknown): string {
  return records(changes)
    .map((change) => {
      const counts = [
        Number(change['newCount']) > 0 ? `${words(change['newCount'])} new` : '',
        Number(change['updatedCount']) > 0 ? `${words(change['updatedCount'])} changed` : '',
      ];
      return [...counts.filter(Boolean), words(change['type'])].join(' ');
    })
    .join(', ');
}

function describePresence(body: Readonly<Record<string, unknown>>): string {
  return ['presenceStatus', 'telephonyStatus', 'dndStatus']
    .map((field) => words(body[field]))
    .filter(Boolean)
    .join(' ');
}

function describeExtensions(extensions: unknown): string {
  return records(extensions)
    .map((extension) => `${words(extension['eventType'])} ${words(extension['extensionId'])}`)
    .join(', ');
}

function records(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is Record<string, unknown> => typeof item === 'object' && item !== null);
}

function words(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
