import {
  integer,
  list,
  mapOf,
  object,
  optional,
  text,
  time,
  type Outputs,
} from '../../runtime/output-schema.ts';

const item = object({
  seq: integer,
  action: text,
  subject: text,
  status: text,
  code: optional(text),
  message: optional(text),
  requestId: optional(text),
  attempts: integer,
  time: optional(time),
});

/** What these commands write as JSON. */
export const historyOutputs: Outputs = {
  'history list': list(
    object({
      id: text,
      kind: text,
      title: text,
      baseUrl: text,
      started: time,
      ended: optional(time),
      state: text,
      counts: mapOf(integer),
    }),
  ),
  'history show': list(item),
  'history undo': list(item),
};
