import {
  integer,
  list,
  object,
  oneOf,
  optional,
  text,
  time,
  type Outputs,
} from '../../runtime/output-schema.ts';

const outcome = {
  id: integer,
  kind: text,
  state: oneOf('sending', 'sent', 'failed', 'unknown', 'not-sent'),
  to: text,
  extension: text,
  startedAt: time,
  endedAt: optional(time),
  serviceId: optional(text),
  dedupeKey: optional(text),
  digest: text,
};
const resolved = object({ ...outcome, why: optional(text) });

/** What these commands write as JSON. */
export const outcomeOutputs: Outputs = {
  'outcome list': list(object(outcome)),
  'outcome resolve': list(resolved),
  'sms resolve': list(resolved),
};
