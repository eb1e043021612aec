import {
  anyOf,
  array,
  list,
  object,
  optional,
  record,
  resource,
  text,
  type Outputs,
} from '../../runtime/output-schema.ts';

// An id of * stands for all that a filter found: the service does not say which they were.
const changed = object({ id: text, result: text, reason: optional(text) });

/** What these commands write as JSON. */
export const messageOutputs: Outputs = {
  'message list': list(resource('Message')),
  'message show': record(anyOf(resource('Message'), array(resource('Message')))),
  'message thread': list(resource('Message')),
  'message read': list(changed),
  'message unread': list(changed),
  'message delete': list(changed),
  'message restore': list(changed),
  'message purge': list(changed),
};
