import { z } from 'zod';
import { Notification } from './subscription.ts';

/** The reply of `POST /restapi/oauth/wstoken`: the address of the WebSocket and a token for it (SOCKET-1). */
export const WebSocketToken = z.strictObject({
  /** Address without query, such as `wss://HOST/restapi/v1.0/subscription`. */
  uri: z.string(),
  ws_access_token: z.string(),
  /** Lifetime of the token in seconds. */
  expires_in: z.int(),
});
export type WebSocketToken = z.infer<typeof WebSocketToken>;

/**
 * A position in the messages of a session. Its token recovers everything after this position; `sequence` increases with
 * each message that has a position.
 */
export const WebSocketPosition = z.strictObject({ token: z.string(), sequence: z.int() });
export type WebSocketPosition = z.infer<typeof WebSocketPosition>;

/** Whether a connection with `wsc` continues its session; absent for a connection without `wsc`. */
export const recoveryStates = ['Successful', 'Failed'] as const;
export type RecoveryState = (typeof recoveryStates)[number];

/** Body of the first frame of the server (SOCKET-3). Times are in seconds. */
export const ConnectionDetails = z.strictObject({
  creationTime: z.string(),
  maxConnectionsPerSession: z.int(),
  recoveryBufferSize: z.int(),
  recoveryTimeout: z.int(),
  idleTimeout: z.int(),
  absoluteTimeout: z.int(),
  maxActiveRequests: z.int(),
  recoveryState: z.enum(recoveryStates).optional(),
  /** The reason why the recovery failed. */
  recoveryErrorCode: z.string().optional(),
});
export type ConnectionDetails = z.infer<typeof ConnectionDetails>;

const MessageId = z.string().min(1);

/** Metadata of a request of the client. The frame is `[meta]` or `[meta, body]` (SOCKET-4). */
export const ClientRequestMeta = z.object({
  type: z.literal('ClientRequest'),
  messageId: MessageId,
  method: z.string(),
  path: z.string(),
  headers: z.record(z.string(), z.unknown()).optional(),
  query: z.record(z.string(), z.unknown()).optional(),
});
export type ClientRequestMeta = z.infer<typeof ClientRequestMeta>;

/** Metadata of a heartbeat, which both sides send without a body (SOCKET-6). */
export const HeartbeatMeta = z.object({ type: z.literal('Heartbeat'), messageId: MessageId });
export type HeartbeatMeta = z.infer<typeof HeartbeatMeta>;

/** Body of a frame of type `Error`, and of a reply with an error status. */
export const WebSocketErrorBody = z.object({ errorCode: z.string(), message: z.string() });
export type WebSocketErrorBody = z.infer<typeof WebSocketErrorBody>;

const headers = z.record(z.string(), z.string());
const status = z.int();

const ConnectionDetailsMeta = z.object({
  type: z.literal('ConnectionDetails'),
  messageId: MessageId,
  status,
  headers: headers.optional(),
  wsc: WebSocketPosition,
});
const ClientResponseMeta = z.object({
  /** A reply has the type and the messageId of its request. */
  type: z.literal('ClientRequest'),
  messageId: MessageId,
  status,
  headers: headers.optional(),
});
const ServerNotificationMeta = z.object({
  type: z.literal('ServerNotification'),
  messageId: MessageId,
  status,
  headers: headers.optional(),
  wsc: WebSocketPosition.optional(),
});
const ErrorMeta = z.object({
  type: z.literal('Error'),
  messageId: MessageId,
  status,
  headers: headers.optional(),
});

/** A frame of the server, as a JSON array of metadata and body. A reply without a body is `[meta]`. */
export const ServerFrame = z.union([
  z.tuple([ConnectionDetailsMeta, ConnectionDetails]),
  z.tuple([ClientResponseMeta]),
  z.tuple([ClientResponseMeta, z.unknown()]),
  z.tuple([ServerNotificationMeta, Notification]),
  z.tuple([HeartbeatMeta]),
  z.tuple([ErrorMeta, WebSocketErrorBody]),
]);
export type ServerFrame = z.infer<typeof ServerFrame>;

/** A frame that the client sends. */
export type ClientFrame =
  | readonly [ClientRequestMeta]
  | readonly [ClientRequestMeta, unknown]
  | readonly [HeartbeatMeta];
