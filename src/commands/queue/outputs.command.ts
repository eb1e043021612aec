import {
  anyOf,
  anything,
  array,
  boardRow,
  flag,
  id,
  integer,
  lines,
  list,
  mapOf,
  nothing,
  nullable,
  object,
  oneOf,
  optional,
  record,
  resource,
  text,
  time,
  type Outputs,
} from '../../runtime/output-schema.ts';

const change = object({
  queue: text,
  queueName: text,
  extension: text,
  agentName: text,
  action: oneOf('add', 'remove'),
  status: text,
  queueId: text,
  agentId: text,
});

const party = object({ id: text, name: text, extensionNumber: optional(text) });
/** A safety limit that a plan exceeds. */
const guard = object({
  kind: oneOf('max-removals', 'empty', 'protected'),
  removed: optional(integer),
  total: optional(integer),
  limit: optional(integer),
  given: optional(text),
  queue: optional(party),
  agent: optional(party),
});

/** What these commands write as JSON. */
export const queueOutputs: Outputs = {
  'queue list': list(resource('Extension', { members: optional(integer) })),
  'queue show': record(
    resource('Extension', {
      agents: array(object({ id, extensionNumber: optional(text), name: text, status: text })),
    }),
  ),
  'queue members': list(
    object({
      id,
      extensionNumber: optional(text),
      name: optional(text),
      email: optional(text),
      type: optional(text),
      status: optional(text),
      uri: text,
    }),
  ),
  'queue watch': lines(boardRow),
  'queue export': record(
    anyOf(
      object({
        queues: array(
          object({
            queue: text,
            name: optional(text),
            agents: array(object({ agent: text, name: optional(text) })),
          }),
        ),
      }),
      array(object({})),
    ),
  ),
  'queue plan': record(
    object({
      kind: text,
      version: integer,
      created: time,
      baseUrl: text,
      summary: object({ add: integer, remove: integer, unchanged: integer, queues: integer }),
      changes: array(anything),
      problems: array(text),
      contradictions: array(text),
      refused: array(
        object({
          queue: text,
          agent: text,
          action: oneOf('add', 'remove'),
          code: text,
          place: optional(object({ file: text, line: integer, column: text })),
          message: text,
        }),
      ),
      limits: object({
        maxRemovals: nullable(object({ given: text, atLeast: integer })),
        allowEmpty: flag,
        protectedIds: array(text),
      }),
      guards: array(guard),
      before: mapOf(array(text)),
      input: anything,
    }),
  ),
  'queue apply': list(change),
  'queue assign': list(change),
  'queue unassign': list(change),
  'queue create': nothing,
  'queue delete': nothing,
};
