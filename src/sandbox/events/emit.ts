import { createCipheriv } from 'node:crypto';
import { stringifyJson } from '../../platform/json.ts';
import { presenceFields } from '../presence.ts';
import type { ExtensionRow } from '../store/extensions.ts';
import type { WatchRow } from '../store/subscriptions.ts';
import type { World } from '../world.ts';

/** Announces a presence as it is now. A subscription with a simple and a detailed filter gets the detailed event alone. */
export function presenceChanged(world: World, extension: ExtensionRow): void {
  const chosen = new Map<string, WatchRow>();
  for (const watcher of world.subscriptions.watchers(`presence:${extension.id}`)) {
    if (!chosen.has(watcher.subscriptionId) || isDetailed(watcher.filter))
      chosen.set(watcher.subscriptionId, watcher);
  }
  if (chosen.size === 0) return;
  const { message: _unsent, ...fields } = { message: '', ...presenceFields(world, extension) };
  const simple = {
    extensionId: String(extension.id),
    ...fields,
    sequence: world.presences.of(extension.id).sequence,
  };
  for (const watcher of chosen.values()) {
    const body = isDetailed(watcher.filter) ? { ...simple, activeCalls: [], totalActiveCalls: 0 } : simple;
    enqueue(world, watcher, body);
  }
}

/** Announces changed extensions of an account. */
export function extensionsChanged(
  world: World,
  accountId: number,
  extensionIds: readonly number[],
  hint: string,
): void {
  if (extensionIds.length === 0) return;
  const extensions = extensionIds.map((id) => ({
    extensionId: String(id),
    eventType: 'Update',
    hints: [hint],
  }));
  for (const watcher of world.subscriptions.watchers(`extension:${accountId}`)) {
    enqueue(world, watcher, { extensions });
  }
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
  // Channel subscriptions are read from the channel, which is not served yet.
  if (subscription?.transportType !== 'WebHook') return;
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
  world.deliveries.add(subscriptionId, uuid, payload, world.clock.now());
}

/** As a JSON string of base64, by the service's AES-128-ECB (facts 1.4). */
function encrypt(text: string, key: string): string {
  const cipher = createCipheriv('aes-128-ecb', Buffer.from(key, 'base64'), null);
  return JSON.stringify(cipher.update(text, 'utf8', 'base64') + cipher.final('base64'));
}
