import { createDecipheriv } from 'node:crypto';
import { parseJson } from '../../platform/json.ts';
import { controlNotFound } from '../control/control-error.ts';
import type { DeliveryRow } from '../subscriptions/delivery-store.ts';
import type { World } from '../world/world.ts';
import { receiverOf } from './receivers.ts';
import { describeBody } from './describe.ts';
import type { EventDetail, EventView, Page } from './types.ts';

/** Which notifications are listed: those in a state, and those that contain a text. */
export interface EventFilter {
  readonly state?: DeliveryRow['state'] | undefined;
  readonly search?: string | undefined;
}

/** Number of the newest notifications that a search examines, and of those that it reads at a time. */
const mostExamined = 20_000;
const batch = 1000;

/** Notifications over all transports, newest first. */
export function listEvents(
  world: World,
  { state, search = '' }: EventFilter,
  limit: number,
): Page<EventView> {
  const wanted = search.trim().toLowerCase();
  if (wanted !== '') return searchEvents(world, state, wanted, limit);
  const rows = world.console.deliveries({ state }, limit);
  return {
    records: rows.map((row) => toEvent(world, row, readBody(world, row))),
    total: world.console.countDeliveries({ state }),
  };
}

/**
 * Returns the notifications whose body or shown text contains a text. SQL cannot search them, because many bodies are
 * encrypted, and because names of extensions are not part of the bodies.
 */
function searchEvents(
  world: World,
  state: EventFilter['state'],
  wanted: string,
  limit: number,
): Page<EventView> {
  const found: EventView[] = [];
  let before: number | undefined;
  for (let examined = 0; examined < mostExamined; examined += batch) {
    const rows = world.console.deliveries({ state, before }, batch);
    for (const row of rows) {
      const read = readBody(world, row);
      const event = toEvent(world, row, read);
      if (searchedText(event, read).toLowerCase().includes(wanted)) found.push(event);
    }
    before = rows.at(-1)?.id;
    if (rows.length < batch) break;
  }
  return { records: found.slice(0, limit), total: found.length };
}

function searchedText({ name, extensionName, extensionNumber, text }: EventView, { json }: ReadBody): string {
  const extension = extensionName === undefined ? '' : `${extensionName} (${extensionNumber ?? ''})`;
  return [name, extension, text, json].join('\n');
}

/** One notification with its body. @throws {ControlError} 404. */
export function readEvent(world: World, id: string): EventDetail {
  const row = world.deliveries.byId(Number(id)) ?? controlNotFound(`event ${id}`);
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
  /** The body as JSON text; empty if it cannot be decrypted. */
  readonly json: string;
  readonly isEncrypted: boolean;
  /** False for an encrypted body whose key was deleted with the subscription, or replaced. */
  readonly isReadable: boolean;
}

/** Returns the posted JSON, decrypted with the key of the subscription (CHANNEL-3). */
function readBody(world: World, row: DeliveryRow): ReadBody {
  const posted = row.payload === '' ? '{}' : row.payload;
  const parsed: unknown = parseJson(posted);
  if (typeof parsed !== 'string') return { body: parsed, json: posted, isEncrypted: false, isReadable: true };
  const key = world.subscriptions.byId(row.subscriptionId)?.encryptionKey;
  const read = key ? decrypted(parsed, key) : undefined;
  return {
    ...(read ?? { body: { encrypted: parsed }, json: '' }),
    isEncrypted: true,
    isReadable: read !== undefined,
  };
}

/** Returns the decrypted JSON; undefined if it was encrypted with an earlier key, because a renewal may change the key. */
function decrypted(payload: string, key: string): Pick<ReadBody, 'body' | 'json'> | undefined {
  const decipher = createDecipheriv('aes-128-ecb', Buffer.from(key, 'base64'), null);
  try {
    const json = decipher.update(payload, 'base64', 'utf8') + decipher.final('utf8');
    return { body: parseJson(json), json };
  } catch {
    return undefined;
  }
}
