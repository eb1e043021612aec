import type { ChatWebhook } from '../../contract/chat.ts';
import type { Subscription } from '../../contract/subscription.ts';
import type { WebSocketToken } from '../../contract/web-socket.ts';
import { flag, key, list, number, object, optional, record, text, time } from './shape.ts';

const deliveryMode = object<Subscription['deliveryMode']>({
  transportType: text,
  address: text,
  encryption: flag,
  encryptionAlgorithm: text,
  encryptionKey: text,
  subscriberKey: text,
  secretKey: text,
});

/** A subscription. Its ID proves that the service created or changed the subscription. */
export const subscriptionShape = record<Subscription>(
  {
    id: key,
    uri: text,
    eventFilters: list(text),
    deliveryMode,
    expirationTime: time,
    expiresIn: number,
    creationTime: time,
    status: text,
    blacklistedData: optional(
      object<NonNullable<Subscription['blacklistedData']>>({ blacklistedAt: time, reason: text }),
    ),
    disabledFilters: optional(
      list(
        object<NonNullable<Subscription['disabledFilters']>[number]>({
          filter: text,
          reason: text,
          message: text,
        }),
      ),
    ),
  },
  ['id'],
);

/** A chat webhook. Its ID proves that the service created the webhook. */
export const chatWebhookShape = record<ChatWebhook>(
  {
    id: key,
    creatorId: text,
    groupIds: list(key),
    creationTime: time,
    lastModifiedTime: time,
    uri: text,
    status: text,
  },
  ['id'],
);

/** The token of a WebSocket and its address; both are needed for the connection. */
export const webSocketTokenShape = record<WebSocketToken>(
  { uri: key, ws_access_token: key, expires_in: number },
  ['uri', 'ws_access_token'],
);
