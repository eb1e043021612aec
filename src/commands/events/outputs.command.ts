import {
  anything,
  array,
  flag,
  id,
  integer,
  lines,
  list,
  nullable,
  object,
  optional,
  record,
  text,
  time,
  type Outputs,
} from '../../runtime/output-schema.ts';

const event = {
  id: integer,
  receivedAt: time,
  receiver: text,
  origin: text,
  uuid: optional(nullable(text)),
  event: optional(nullable(text)),
  timestamp: optional(nullable(text)),
  subscriptionId: optional(nullable(text)),
  ownerId: optional(nullable(text)),
  body: optional(anything),
  recovered: optional(flag),
  sealed: optional(anything),
};

/** What these commands write as JSON. */
export const eventsOutputs: Outputs = {
  'events list': list(object(event)),
  'events show': record(object({ ...event, deliveries: array(anything) })),
  'events replay': list(object({ id, uuid: text, target: text, status: text, problem: nullable(text) })),
  'events export': lines(object(event)),
  'events import': record(object({ added: integer, known: integer })),
  'events dlq': list(
    object({
      id: integer,
      eventId: integer,
      target: text,
      attempts: integer,
      problem: nullable(text),
      status: text,
    }),
  ),
};
