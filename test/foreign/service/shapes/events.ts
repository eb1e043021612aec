import { address, flag, id, integer, list, moment, record, secret, text, words } from '../shape.ts';

/** Subscription: `id` proves that it was created. */
export const subscription = record(
  {
    uri: address,
    id: text,
    eventFilters: list(text),
    disabledFilters: list(record({ filter: text, reason: text, message: text })),
    expirationTime: moment,
    expiresIn: integer,
    creationTime: moment,
    status: words('Active', 'Suspended', 'Blacklisted'),
    deliveryMode: record({
      transportType: words('WebHook', 'WebSocket', 'PubNub', 'ChannelService'),
      address: text,
      subscriberKey: secret,
      secretKey: secret,
      encryption: flag,
      encryptionAlgorithm: words('None', 'AES'),
      encryptionKey: secret,
    }),
    blacklistedData: record({ blacklistedAt: moment, reason: text }),
  },
  'id',
);

/** Address that posts into a chat group. */
export const chatWebhook = record(
  {
    id: text,
    creatorId: id,
    groupIds: list(id),
    creationTime: moment,
    lastModifiedTime: moment,
    uri: address,
    status: words('Active', 'Suspended', 'Deleted'),
  },
  'id',
);

/** Receipt of a post, as public client libraries read it. */
export const postReceipt = record({ status: words('OK') }, 'status');

/** Token for a WebSocket of dialect `current`: the token and the address are needed for the connection. */
export const socketToken = record(
  { ws_access_token: text, uri: address, expires_in: integer },
  'ws_access_token',
  'uri',
);

/** Reply of the token endpoint. */
export const tokens = record(
  {
    access_token: text,
    expires_in: integer,
    refresh_token: text,
    refresh_token_expires_in: integer,
    scope: text,
    token_type: text,
    owner_id: id,
    endpoint_id: text,
    session_id: text,
  },
  'access_token',
  'token_type',
);
