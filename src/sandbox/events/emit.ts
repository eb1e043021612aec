import { createCipheriv } from 'node:crypto';
import { stringifyJson } from '../../platform/json.ts';
import type { MessageRow } from '../store/messages.ts';
import type { WatchRow } from '../store/subscriptions.ts';
import type { World } from '../world.ts';

/** Announces a message that came or changed (facts 1.3). */
export function messagesChanged(world: World, row: MessageRow, what: 'new' | 'updated'): void {
  const watchers = world.subscriptions.watchers(`messages:${row.extensionId}`).filter(({ filter }) => {
    const query = queryOf(filter);
    const matches = (name: string, value: string) => !query.has(name) || query.getAll(name).includes(value);
    return matches('type', row.type) && matches('direction', row.direction);
  });
  if (watchers.length === 0) return;
  const extension = world.extensions.byId(row.extensionId);
  const body = {
    accountId: String(extension?.accountId),
    extensionId: String(row.extensionId),
    lastUpdated: world.clock.iso(),
    changes: [
      {
        type: row.type,
        newCount: what === 'new' ? 1 : 0,
        updatedCount: what === 'updated' ? 1 : 0,
        ...(what === 'new' && { newMessageIds: [String(row.id)] }),
      },
    ],
  };
  for (const watcher of watchers) enqueue(world, watcher, body);
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
