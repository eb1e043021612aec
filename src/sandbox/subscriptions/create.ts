import { channelSubscriptionSeconds, webhookSubscriptionSeconds } from '../../contract/limits.ts';
import type { Caller, Handler, Reply } from '../request/call.ts';
import { invalidParameter, ServiceError, unauthorized } from '../request/errors.ts';
import { shakeHands } from './handshake.ts';
import type { SubscriptionRow } from './store.ts';
import { isEncrypted, readFilters, startLife, type ReadFilters } from './rules.ts';
import type { World } from '../world/world.ts';

/**
 * Serves POST subscription: checks filters and address, performs the handshake with the webhook, then stores the
 * subscription. The subscription of a WebSocket is created through the WebSocket (SOCKET-5), which replaces the hosted
 * channel in dialect `current` (CURRENT-12).
 */
export const createSubscription: Handler<'createSubscription'> = ({ world, caller, body }) => {
  const { transportType, encryption, verificationToken, validationToken } = body.deliveryMode;
  const isWebhook = transportType === 'WebHook';
  const hasChannel = world.dialect.liveTransport === 'channel';
  if (transportType === 'WebSocket' || (!isWebhook && !hasChannel))
    throw invalidParameter('deliveryMode.transportType');
  const limits = isWebhook ? webhookSubscriptionSeconds : channelSubscriptionSeconds;
  const lifetimeSeconds = Math.min(body.expiresIn ?? limits.default, limits.max);
  const filters = readFilters(world, caller, body.eventFilters, lifetimeSeconds);
  requireRoom(world, caller);
  const encrypted = isEncrypted(world, transportType, filters, encryption === true);
  const draft = {
    clientId: caller.app.clientId,
    extensionId: caller.extension.id,
    transportType,
    verificationToken: verificationToken ?? validationToken ?? null,
    lifetimeSeconds,
  };
  if (!isWebhook) return store(world, { ...draft, ...newChannel(world) }, filters, encrypted);
  const address = checkAddress(body.deliveryMode.address, caller.app.production);
  const token = world.random.uuid();
  const { era } = world;
  return {
    async wait() {
      await shakeHands(address, token, world.settings);
      return () => {
        // The handshake may take so long that the session ends, or that a reset replaces all content.
        if (era.aborted || !world.sessions.has(caller.sessionId))
          throw unauthorized('OAU-213', 'Token not found');
        requireRoom(world, caller);
        return store(world, { ...draft, address, subscriberKey: null, secretKey: null }, filters, encrypted);
      };
    },
  };
};

type Draft = Pick<
  SubscriptionRow,
  | 'clientId'
  | 'extensionId'
  | 'transportType'
  | 'verificationToken'
  | 'lifetimeSeconds'
  | 'address'
  | 'subscriberKey'
  | 'secretKey'
>;

function store(world: World, draft: Draft, filters: ReadFilters, encrypted: boolean): Reply {
  const createdAt = world.clock.now();
  const row: SubscriptionRow = {
    ...draft,
    id: world.random.uuid(),
    encryptionKey: encrypted ? newEncryptionKey(world) : null,
    createdAt,
    expiresAt: createdAt,
    state: 'active',
    status: 'Active',
    failingSince: null,
    blacklistedAt: null,
    blacklistReason: null,
    eventFilters: [],
    disabledFilters: [],
  };
  return { json: startLife(world, row, filters) };
}

/** Generates an AES-128 key, encoded as base64. */
export function newEncryptionKey(world: World): string {
  return world.random.bytes(16).toString('base64');
}

/**
 * Checks the limit of subscriptions. @throws {ServiceError} SUB-505 if the user and application have the maximum number
 * of subscriptions.
 */
export function requireRoom(world: World, caller: Caller): void {
  const count = world.subscriptions.count(caller.extension.id, caller.app.clientId);
  if (count < world.settings.subscriptionsPerUser) return;
  throw new ServiceError(
    403,
    'SUB-505',
    `Subscriptions limit of ${world.settings.subscriptionsPerUser} is reached`,
  );
}

/** Generates the address and keys of a new channel. */
export function newChannel(world: World) {
  return {
    address: `${world.random.digits(18)}_${world.random.bytes(4).toString('hex')}`,
    subscriberKey: `sub-c-${world.random.uuid()}`,
    secretKey: `sec-c-${world.random.token()}`,
  };
}

/** An application in production needs an https address (WEBHOOK-1). */
function checkAddress(address: string | undefined, production: boolean): string {
  const name = 'deliveryMode.address';
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  if (!address || !url || !['http:', 'https:'].includes(url.protocol)) throw invalidParameter(name);
  if (production && url.protocol !== 'https:') {
    throw new ServiceError(400, 'SUB-523', 'WebHook address must use HTTPS', { parameterName: name });
  }
  return address;
}
