import {
  anything,
  flag,
  lines,
  list,
  object,
  optional,
  record,
  resource,
  text,
  type Outputs,
} from '../../runtime/output-schema.ts';

/** What these commands write as JSON. */
export const subscribeOutputs: Outputs = {
  'subscribe tail': lines(
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
  'subscribe create': record(resource('Subscription')),
  'subscribe list': list(resource('Subscription')),
  'subscribe show': record(resource('Subscription')),
  'subscribe update': record(resource('Subscription')),
  'subscribe renew': list(resource('Subscription')),
  'subscribe delete': list(object({ id: text, status: text })),
};
