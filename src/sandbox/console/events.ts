import { createDecipheriv } from 'node:crypto';
import { parseJson } from '../../platform/json.ts';
import { controlNotFound } from '../control/control-error.ts';
import type { DeliveryRow } from '../subscriptions/delivery-store.ts';
import type { World } from '../world/world.ts';
import { receiverOf } from './receivers.ts';
import { describeBody } from './describe.ts';
import type { ListFilter } from './store.ts';
import type { EventDetail, EventView, Page } from './types.ts';

/** Notifications over all transports, newest first. */
export function listEvents(
  world: World,
  filter: ListFilter & { readonly state?: DeliveryRow['state'] | undefined },
  limit: number,
): Page<EventView> {
  const { rows, total } = world.console.deliveries(filter, filter.state, limit);
  return { records: rows.map((row) => toEvent(world, row, readBody(world, row))), total };
}

/** One notification with its body. @throws {ControlError} 404. */
export function readEvent(world: World, id: number): EventDetail {
  const row = world.deliveries.byId(id) ?? controlNotFound(`event ${id}`);
  const read = readBody(world, row);
  return {
    ...toEvent(world, row, read),
    uuid: row.uuid,
    subscriptionId: row.subscriptionId,
    isEncrypted: read.isEncrypted,
    body: read.body,
  };
}

function toEvent(world: World, row: DeliveryRow, read: ReadBody): EventView {
  const { event = '', body = {} } = (read.body ?? {}) as { event?: string; body?: object };
  const extensionId = /\/extension\/(\d+)/.exec(event)?.[1] ?? extensionIn(body);
  const extension = extensionId === undefined ? undefined : world.extensions.byId(Number(extensionId));
  const subscription = world.subscriptions.byId(row.subscriptionId);
  return {
    id: row.id,
    time: world.clock.iso(row.createdAt),
    name: nameOf(event),
    ...(extension && { extensionNumber: extension.extensionNumber ?? '', extensionName: extension.name }),
    text: read.isReadable ? describeBody(body) : 'Encrypted, and the key no longer exists',
    transport: row.transport,
    address: subscription ? receiverOf(world, subscription) : 'deleted subscription',
    state: row.state,
    attempts: row.attempts,
    ...(row.status !== null && { status: row.status }),
    ...(row.error !== null && { error: row.error }),
  };
}

function extensionIn(body: object): string | undefined {
  const { extensionId } = body as { extensionId?: unknown };
  return typeof extensionId === 'string' || typeof extensionId === 'number' ? String(extensionId) : undefined;
}

/** Returns the end of an event filter, after the account or extension. */
function nameOf(event: string): string {
  const [path = ''] = event.split('?');
  return path.replace(/^.*\/(account|extension)\/[^/]+\//, '') || 'notification';
}

interface ReadBody {
  readonly body: unknown;
  readonly isEncrypted: boolean;
  /** False for an encrypted body whose key was deleted with the subscription, or replaced. */
  readonly isReadable: boolean;
}

/** Returns the posted JSON, decrypted with the key of the subscription (CHANNEL-3). */
function readBody(world: World, row: DeliveryRow): ReadBody {
  const parsed: unknown = parseJson(row.payload === '' ? '{}' : row.payload);
  if (typeof parsed !== 'string') return { body: parsed, isEncrypted: false, isReadable: true };
  const key = world.subscriptions.byId(row.subscriptionId)?.encryptionKey;
  const body = key ? decrypted(parsed, key) : undefined;
  return { body: body ?? { encrypted: parsed }, isEncrypted: true, isReadable: body !== undefined };
}

/** Returns the decrypted JSON; undefined if it was encrypted with an earlier key, because a renewal may change the key. */
function decrypted(payload: string, key: string): unknown {
  const decipher = createDecipheriv('aes-128-ecb', Buffer.from(key, 'base64'), null);
  try {
    return parseJson(decipher.update(payload, 'base64', 'utf8') + decipher.final('utf8'));
  } catch {
    return undefined;
  }
}
