import {
  anyOf,
  anything,
  array,
  flag,
  integer,
  list,
  mapOf,
  nothing,
  nullable,
  number,
  object,
  optional,
  record,
  text,
  time,
  type Outputs,
} from '../../runtime/output-schema.ts';

const ready = {
  url: text,
  mediaUrl: optional(text),
  ca: optional(text),
  dialect: text,
  pid: integer,
  clientId: text,
  clientSecret: text,
  redirectUris: array(text),
  users: array(anything),
  apps: array(anything),
  accountId: text,
  mainNumber: text,
  brandId: text,
  partnerAccountId: text,
  queues: array(anything),
  groups: array(anything),
};
const snapshot = object({ name: text, bytes: optional(integer), savedAt: optional(text) });
const delivery = object({
  id: integer,
  subscriptionId: optional(text),
  uuid: optional(text),
  state: optional(text),
  attempts: optional(integer),
  status: optional(nullable(integer)),
  error: optional(nullable(text)),
});

/** What these commands write as JSON. */
export const sandboxOutputs: Outputs = {
  'sandbox start': record(object(ready)),
  'sandbox exec': nothing,
  'sandbox env': record(
    object({
      UCCTL_BASE_URL: text,
      UCCTL_CLIENT_ID: text,
      UCCTL_CLIENT_SECRET: text,
      UCCTL_MEDIA_HOSTS: optional(text),
      UCCTL_REDIRECT_URIS: text,
      UCCTL_SANDBOX_USERNAME: text,
    }),
  ),
  'sandbox status': record(
    object({
      ...ready,
      time,
      clock: text,
      rateLimits: text,
      faults: integer,
      traffic: anything,
      messages: integer,
      subscriptions: integer,
      pendingDeliveries: integer,
    }),
  ),
  'sandbox stop': record(object({ stopping: flag })),
  'sandbox reset': record(object({ reset: flag })),
  'sandbox clock': record(object({ time, mode: text, fired: array(anything) })),
  'sandbox trigger': record(mapOf(anything)),
  'sandbox traffic': record(
    object({
      running: flag,
      perMinute: optional(number),
      kinds: optional(array(text)),
      made: optional(integer),
    }),
  ),
  'sandbox phone': record(
    object({ sessionId: text, callStatus: text, legStatus: text, telephonyStatus: text }),
  ),
  'sandbox fault': list(
    object({
      id: integer,
      kind: text,
      operation: optional(nullable(text)),
      after: integer,
      times: integer,
      probability: number,
      seen: integer,
      hits: integer,
    }),
  ),
  'sandbox snapshot': record(anyOf(snapshot, array(snapshot))),
  'sandbox settings': record(mapOf(anything)),
  'sandbox log': list(
    object({
      time,
      method: text,
      path: text,
      status: integer,
      operation: optional(nullable(text)),
      unread: array(text),
    }),
  ),
  'sandbox posts': list(object({ id: integer, groupId: text, webhookId: text, time, post: anything })),
  'sandbox delivery': record(anyOf(array(delivery), delivery)),
  'sandbox user': record(
    object({
      extensionId: text,
      status: optional(text),
      endedSessions: optional(integer),
      endedSubscriptions: optional(integer),
      queues: optional(array(text)),
      messages: optional(integer),
    }),
  ),
  'sandbox assertion': record(object({ assertion: text, extensionId: text, expiresAt: time })),
  'sandbox token': record(object({ endedSessions: integer })),
};
