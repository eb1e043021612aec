import { createCipheriv } from 'node:crypto';
import { stringifyJson } from '../../platform/json.ts';
import { isAdministrator } from '../access.ts';
import { presenceFields } from '../presence.ts';
import type { ExtensionRow } from '../store/extensions.ts';
import type { MessageRow } from '../store/messages.ts';
import type { PresenceRow } from '../store/presences.ts';
import type { WatchRow } from '../store/subscriptions.ts';
import type { World } from '../world.ts';

/** How events call the types of messages (facts 1.3). */
const eventTypes: Readonly<Record<string, string>> = { VoiceMail: 'Voicemail' };

/**
 * Announces a message that came or changed (facts 1.3).
 * @param whole the message as the service answers it; asked for only where a filter wants all of it.
 */
export function messagesChanged(
  world: World,
  row: MessageRow,
  what: 'new' | 'updated',
  whole: () => object,
): void {
  const type = eventTypes[row.type] ?? row.type;
  const watchers = world.subscriptions.watchers(`messages:${row.extensionId}`).filter(({ filter }) => {
    return matches(filter, 'type', row.type, type) && matches(filter, 'direction', row.direction);
  });
  if (what === 'new') wholeMessage(world, row, whole);
  if (watchers.length === 0) return;
  const extension = world.extensions.byId(row.extensionId);
  const body = {
    accountId: String(extension?.accountId),
    extensionId: String(row.extensionId),
    lastUpdated: world.clock.iso(),
    changes: [
      {
        type,
        newCount: what === 'new' ? 1 : 0,
        updatedCount: what === 'updated' ? 1 : 0,
        ...(what === 'new' && { newMessageIds: [String(row.id)] }),
      },
    ],
  };
  for (const watcher of watchers) enqueue(world, watcher, body);
}

/** A new message goes whole to the filters of its kind: instant texts, voicemail and fax; ids are strings there. */
function wholeMessage(world: World, row: MessageRow, whole: () => object): void {
  const topics: Readonly<Record<string, string>> = { SMS: 'instant', VoiceMail: 'voicemail', Fax: 'fax' };
  const topic = topics[row.type];
  if (topic === undefined || (topic !== 'fax' && row.direction !== 'Inbound')) return;
  const watchers = world.subscriptions.watchers(`${topic}:${row.extensionId}`);
  if (watchers.length === 0) return;
  const { conversationId, ...message } = { conversationId: undefined, ...whole() };
  const body = {
    ...message,
    id: String(row.id),
    ...(conversationId !== undefined && { conversationId: String(conversationId) }),
  };
  for (const watcher of watchers) {
    if (matches(watcher.filter, 'direction', row.direction)) enqueue(world, watcher, body);
  }
}

/** Announces a presence as it is now. A subscription with a simple and a detailed filter gets the detailed event alone. */
export function presenceChanged(world: World, extension: ExtensionRow): void {
  const onLine = lineWatchers(world, extension);
  const watchers = [
    ...onePerSubscription(world.subscriptions.watchers(`presence:${extension.id}`)),
    ...world.subscriptions.watchers(`accountPresence:${extension.accountId}`),
    ...onLine.presence,
  ].filter((watcher) => maySee(world, watcher, extension));
  const { sequence } = world.presences.of(extension.id);
  for (const watcher of onLine.line.filter((one) => maySee(world, one, extension))) {
    enqueue(world, watcher, { extension: [{ id: String(extension.id) }], sequence });
  }
  if (watchers.length === 0) return;
  const { message: _unsent, ...fields } = { message: '', ...presenceFields(world, extension) };
  const simple = { extensionId: String(extension.id), ...fields, sequence };
  for (const watcher of watchers) {
    const body = isDetailed(watcher.filter) ? { ...simple, activeCalls: [], totalActiveCalls: 0 } : simple;
    enqueue(world, watcher, body);
  }
}

/** Announces a changed queue-agent mode to those who watch it alone, and to those who watch the agent's queues. */
export function queueModeChanged(world: World, extension: ExtensionRow, before: PresenceRow): void {
  const { dndStatus } = world.presences.of(extension.id);
  if (dndStatus === before.dndStatus) return;
  const extensionId = String(extension.id);
  for (const watcher of world.subscriptions.watchers(`dnd:${extension.id}`)) {
    if (maySee(world, watcher, extension)) enqueue(world, watcher, { extensionId, dndStatus });
  }
  const accepts = acceptsQueueCalls(dndStatus);
  if (accepts === acceptsQueueCalls(before.dndStatus)) return;
  for (const queue of world.departments.of(extension.id)) {
    for (const watcher of world.subscriptions.watchers(`queuePresence:${queue}`)) {
      enqueue(world, watcher, { member: { id: extensionId }, acceptCurrentQueueCalls: accepts });
    }
  }
}

function acceptsQueueCalls(dndStatus: string): boolean {
  return dndStatus === 'TakeAllCalls' || dndStatus === 'TakeDepartmentCallsOnly';
}

/** Announces changed extensions of an account, all together and each to those who watch it alone. */
export function extensionsChanged(
  world: World,
  accountId: number,
  extensionIds: readonly number[],
  hint: string,
  eventType: 'Create' | 'Update' | 'Delete' = 'Update',
): void {
  if (extensionIds.length === 0) return;
  const extensions = extensionIds.map((id) => ({ extensionId: String(id), eventType, hints: [hint] }));
  for (const watcher of world.subscriptions.watchers(`extensions:${accountId}`)) {
    enqueue(world, watcher, { extensions });
  }
  for (const one of extensions) {
    for (const watcher of world.subscriptions.watchers(`extension:${one.extensionId}`)) {
      enqueue(world, watcher, one);
    }
  }
}

/** A subscription is told once, in detail if it asks for that. */
function onePerSubscription(watchers: readonly WatchRow[]): readonly WatchRow[] {
  const chosen = new Map<string, WatchRow>();
  for (const watcher of watchers) {
    if (!chosen.has(watcher.subscriptionId) || isDetailed(watcher.filter))
      chosen.set(watcher.subscriptionId, watcher);
  }
  return [...chosen.values()];
}

/** Those who have this extension on a line: itself, and the agents of its queues. */
function lineWatchers(
  world: World,
  extension: ExtensionRow,
): { readonly line: readonly WatchRow[]; readonly presence: readonly WatchRow[] } {
  const { subscriptions, departments } = world;
  const watched = {
    line: subscriptions.watchesKind('line'),
    presence: subscriptions.watchesKind('linePresence'),
  };
  if (!watched.line && !watched.presence) return { line: [], presence: [] };
  const queues = departments.of(extension.id);
  const agents = queues.flatMap((queue) => departments.members(queue).rows.map(({ id }) => id));
  const ids = [...new Set([extension.id, ...agents])];
  const others = ids.filter((id) => id !== extension.id);
  return {
    line: ids.flatMap((id) => subscriptions.watchers(`line:${id}`)),
    presence: onePerSubscription(others.flatMap((id) => subscriptions.watchers(`linePresence:${id}`))),
  };
}

/** A presence that was hidden after someone had subscribed to it is told to its owner and administrators only. */
function maySee(world: World, { subscriptionId }: WatchRow, extension: ExtensionRow): boolean {
  if (world.presences.of(extension.id).allowSeeMyPresence === 1) return true;
  const watcher = world.extensions.byId(world.subscriptions.byId(subscriptionId)?.extensionId ?? 0);
  return watcher !== undefined && (watcher.id === extension.id || isAdministrator(watcher));
}

function matches(filter: string, name: string, ...values: readonly string[]): boolean {
  const asked = queryOf(filter).getAll(name);
  return asked.length === 0 || asked.some((value) => values.includes(value));
}

function isDetailed(filter: string): boolean {
  return queryOf(filter).get('detailedTelephonyState') === 'true';
}

function queryOf(filter: string): URLSearchParams {
  return new URLSearchParams(filter.split('?', 2)[1] ?? '');
}

/** Writes the notification to the outbox, in the transaction of the change. */
export function enqueue(
  world: World,
  { subscriptionId, filter }: WatchRow,
  body: Readonly<Record<string, unknown>>,
): void {
  const subscription = world.subscriptions.byId(subscriptionId);
  if (subscription?.status !== 'Active') return;
  const uuid = world.random.uuid();
  const notification = {
    uuid,
    event: filter,
    timestamp: world.clock.iso(),
    subscriptionId,
    ownerId: String(subscription.extensionId),
    body,
  };
  const text = stringifyJson(notification);
  const payload = subscription.encryptionKey === null ? text : encrypt(text, subscription.encryptionKey);
  if (subscription.transportType !== 'WebHook') return world.channels.add(subscription.address, payload);
  world.deliveries.add(subscriptionId, uuid, payload, world.clock.now());
}

/** As a JSON string of base64, by the service's AES-128-ECB (facts 1.4). */
function encrypt(text: string, key: string): string {
  const cipher = createCipheriv('aes-128-ecb', Buffer.from(key, 'base64'), null);
  return JSON.stringify(cipher.update(text, 'utf8', 'base64') + cipher.final('base64'));
}
