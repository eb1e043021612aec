import { createCipheriv } from 'node:crypto';
import { stringifyJson } from '../../platform/json.ts';
import { publishToSocket } from '../sockets/publish.ts';
import { retained } from './channel-store.ts';
import type { SubscriptionRow, WatchRow } from './store.ts';
import type { World } from '../world/world.ts';

/** Creates the notification and publishes it, in the transaction of the change. */
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
  publish(world, subscription, uuid, payload);
}

/** Adds a notification to the outbox of its transport. Must run in a transaction. */
export function publish(
  world: World,
  { id, transportType, address }: SubscriptionRow,
  uuid: string,
  payload: string,
): void {
  const now = world.clock.now();
  const delivery = { subscriptionId: id, transport: transportType, uuid, payload, createdAt: now };
  const deliveryId = world.deliveries.add(delivery);
  if (transportType === 'WebHook') return;
  if (transportType === 'WebSocket') return publishToSocket(world, address, payload, deliveryId);
  const deleted = world.channels.add(address, payload, deliveryId);
  if (deleted.length > 0)
    world.deliveries.lose(deleted, `the channel retains only the newest ${retained} events`, now);
}

/** Returns the notification as a JSON string: base64 of AES-128-ECB (CHANNEL-3). */
function encrypt(text: string, key: string): string {
  const cipher = createCipheriv('aes-128-ecb', Buffer.from(key, 'base64'), null);
  return JSON.stringify(cipher.update(text, 'utf8', 'base64') + cipher.final('base64'));
}
