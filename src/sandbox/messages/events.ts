import { toMessage } from './view.ts';
import type { MessageRow } from './store.ts';
import type { World } from '../world/world.ts';
import { enqueue } from '../subscriptions/enqueue.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

/**
 * Publishes new or changed messages of one mailbox (EVENT-18, EVENT-23). Subscribers to the message store get counts;
 * subscribers to texts, voicemails or faxes get the complete inbound messages.
 */
export function messagesChanged(world: World, rows: readonly MessageRow[], what: 'new' | 'updated'): void {
  const [first] = rows;
  if (!first) return;
  for (const watcher of world.subscriptions.watchers(`messages:${first.extensionId}`)) {
    const { filter } = watcher;
    const seen = rows.filter(
      ({ type, direction }) =>
        (matches(filter, 'type', type) || matches(filter, 'type', eventType(type))) &&
        matches(filter, 'direction', direction),
    );
    if (seen.length > 0) enqueue(world, watcher, countsOf(world, first.extensionId, seen, what));
  }
  if (what === 'new') for (const row of rows) announceWhole(world, row);
}

function countsOf(world: World, extensionId: number, rows: readonly MessageRow[], what: 'new' | 'updated') {
  const types = [...new Set(rows.map((row) => row.type))];
  return {
    accountId: String(world.extensions.byId(extensionId)?.accountId),
    extensionId: String(extensionId),
    lastUpdated: world.clock.iso(),
    changes: types.map((type) =>
      changeOf(
        type,
        rows.filter((row) => row.type === type),
        what,
      ),
    ),
  };
}

function changeOf(type: string, rows: readonly MessageRow[], what: 'new' | 'updated') {
  const counts = {
    type: eventType(type),
    newCount: what === 'new' ? rows.length : 0,
    updatedCount: what === 'updated' ? rows.length : 0,
  };
  return what === 'new' ? { ...counts, newMessageIds: rows.map((row) => String(row.id)) } : counts;
}

/** Returns the type of a message in events, where voicemail is spelled differently. */
function eventType(type: string): string {
  return type === 'VoiceMail' ? 'Voicemail' : type;
}

/**
 * Topics of complete messages by message type. Texts and voicemails are published if inbound, faxes in both directions.
 */
const wholeTopics: Readonly<Record<string, string>> = lookupTable({
  SMS: 'instant',
  VoiceMail: 'voicemail',
  Fax: 'fax',
});

function announceWhole(world: World, row: MessageRow): void {
  const topic = wholeTopics[row.type];
  if (topic === undefined || (row.direction !== 'Inbound' && topic !== 'fax')) return;
  const watchers = world.subscriptions
    .watchers(`${topic}:${row.extensionId}`)
    .filter(({ filter }) => matches(filter, 'direction', row.direction));
  if (watchers.length === 0) return;
  const message = toMessage(world, row);
  const body = { ...message, ...idsAsText(row), attachments: message.attachments.map(withTextId) };
  for (const watcher of watchers) enqueue(world, watcher, body);
}

/** Whether a filter has this value for a parameter, or does not have the parameter. */
function matches(filter: string, name: string, value: string): boolean {
  const query = new URLSearchParams(filter.split('?', 2)[1] ?? '');
  return !query.has(name) || query.getAll(name).includes(value);
}

function withTextId<T extends { readonly id: number }>(attachment: T) {
  return { ...attachment, id: String(attachment.id) };
}

function idsAsText(row: MessageRow) {
  return {
    id: String(row.id),
    ...(row.conversationId !== null && { conversationId: row.conversationId }),
  };
}
