import {
  anything,
  array,
  flag,
  integer,
  lines,
  list,
  nullable,
  number,
  object,
  optional,
  record,
  text,
  time,
  type Outputs,
} from '../../runtime/output-schema.ts';

// The address is a credential and masked unless it is asked for.
const chatWebhook = object({
  id: text,
  creatorId: text,
  groupIds: array(text),
  creationTime: time,
  lastModifiedTime: time,
  uri: text,
  status: text,
});
const changed = object({ id: text, status: text });

/** What these commands write as JSON. */
export const webhookOutputs: Outputs = {
  'webhook listen': lines(
    object({
      uuid: text,
      event: text,
      timestamp: text,
      subscriptionId: optional(text),
      ownerId: optional(text),
      body: optional(anything),
      recovered: optional(flag),
    }),
  ),
  'webhook trigger': list(
    object({
      step: text,
      status: text,
      milliseconds: nullable(number),
      problem: nullable(text),
      notification: optional(anything),
    }),
  ),
  'webhook check': list(
    object({
      check: text,
      status: text,
      tries: integer,
      failed: integer,
      medianMilliseconds: nullable(number),
      slowestMilliseconds: nullable(number),
      problem: nullable(text),
    }),
  ),
  'webhook create': record(chatWebhook),
  'webhook list': list(chatWebhook),
  'webhook activate': list(changed),
  'webhook suspend': list(changed),
  'webhook delete': list(changed),
  'webhook post': record(object({ webhook: text, status: text, post: anything })),
};
