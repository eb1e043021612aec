import {
  array,
  id,
  list,
  object,
  optional,
  record,
  resource,
  text,
  type Outputs,
} from '../../runtime/output-schema.ts';

const agent = object({
  id,
  extensionNumber: optional(text),
  name: text,
  email: optional(text),
  status: text,
  queues: array(object({ id, extensionNumber: optional(text), name: text })),
  presence: optional(resource('Presence')),
});

/** What these commands write as JSON. */
export const agentOutputs: Outputs = {
  'agent list': list(agent),
  'agent show': record(agent),
};
