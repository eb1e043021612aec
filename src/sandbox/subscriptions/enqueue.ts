import { createCipheriv } from 'node:crypto';
import { stringifyJson } from '../../platform/json.ts';
import { publishToSocket } from '../sockets/publish.ts';
import type { WatchRow } from './store.ts';
import type { World } from '../world/world.ts';

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
  if (subscription.transportType === 'WebSocket')
    return publishToSocket(world, subscription.address, payload);
  if (subscription.transportType !== 'WebHook') return world.channels.add(subscription.address, payload);
  world.deliveries.add(subscriptionId, uuid, payload, world.clock.now());
}

/** Returns the notification as a JSON string: base64 of AES-128-ECB (CHANNEL-3). */
function encrypt(text: string, key: string): string {
  const cipher = createCipheriv('aes-128-ecb', Buffer.from(key, 'base64'), null);
  return JSON.stringify(cipher.update(text, 'utf8', 'base64') + cipher.final('base64'));
}
