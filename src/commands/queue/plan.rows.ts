import {
  anything,
  array,
  flag,
  integer,
  mapOf,
  nullable,
  object,
  oneOf,
  optional,
  record,
  text,
  time,
} from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';
import { withNumber } from '../../runtime/with-number.ts';

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

/** The plan as a document, which `queue apply` reads. */
export const planOutput = record(() =>
  object({
    kind: text,
    version: integer,
    created: time,
    baseUrl: text,
    summary: object({ add: integer, remove: integer, unchanged: integer, queues: integer }),
    changes: array(anything),
    problems: array(text),
    contradictions: array(text),
    skipped: array(
      object({
        queue: text,
        agent: text,
        action: oneOf('add', 'remove'),
        row: optional(integer),
        index: optional(integer),
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
    requests: optional(
      object({
        Heavy: optional(integer),
        Medium: optional(integer),
        Light: optional(integer),
        seconds: integer,
      }),
    ),
    settings: optional(
      object({ plan: anything, limits: array(anything), total: integer, created: array(anything) }),
    ),
  }),
);

/** A change of a plan, for formats with rows. */
export type PlanRow = RowOf<typeof planRows>;

export const planRows = rows(
  {},
  {
    action: {
      schema: oneOf('add', 'remove', 'none', 'skipped', 'create', 'update'),
      title: 'ACTION',
      priority: 7,
    },
    queue: {
      schema: text,
      title: 'QUEUE',
      priority: 6,
      shown: ({ queue, queueName }) => withNumber(queueName, queue),
    },
    queueName: { schema: text, title: 'QUEUE NAME', isIncluded: true },
    extension: {
      schema: text,
      title: 'AGENT',
      priority: 6,
      shown: ({ extension, agentName }) => withNumber(agentName, extension),
    },
    agentName: { schema: text, title: 'AGENT NAME', isIncluded: true },
    queueId: { schema: text, title: 'QUEUE ID', kind: 'id', priority: 1 },
    agentId: { schema: text, title: 'AGENT ID', kind: 'id', priority: 2 },
    setting: { schema: optional(text), title: 'SETTING', priority: 5 },
    before: {
      schema: optional(anything),
      title: 'BEFORE',
      priority: 2,
      cell: ({ before }) => cellOf(before),
    },
    after: { schema: optional(anything), title: 'AFTER', priority: 4, cell: ({ after }) => cellOf(after) },
  },
);

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
