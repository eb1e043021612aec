import type { Outcome } from '../../features/outcome-journal/index.ts';
import { integer, oneOf, optional, text, time } from '../../runtime/output-schema.ts';
import { rows, source, type RowOf } from '../../runtime/rows.ts';

/** An outcome in the output. Times are ISO 8601 in UTC. */
export type OutcomeRow = RowOf<typeof outcomeRows>;

export const outcomeRows = rows(
  { source: source<Outcome>(), empty: 'No messages or calls were sent from this machine.' },
  {
    id: { schema: integer, from: ({ id }) => id, title: 'ID', kind: 'id', priority: 9 },
    kind: { schema: text, from: ({ kind }) => kind, title: 'KIND', priority: 8 },
    state: {
      schema: oneOf('sending', 'sent', 'failed', 'unknown', 'not-sent'),
      from: ({ state }) => state,
      title: 'STATE',
      kind: 'status',
      priority: 9,
    },
    to: { schema: text, from: ({ to }) => to, title: 'TO', kind: 'phone', priority: 7 },
    extension: { schema: text, from: ({ extension }) => extension },
    startedAt: {
      schema: time,
      from: ({ startedAt }) => new Date(startedAt).toISOString(),
      title: 'STARTED',
      kind: 'time',
      priority: 5,
    },
    endedAt: {
      schema: optional(time),
      from: ({ endedAt }) => (endedAt === undefined ? undefined : new Date(endedAt).toISOString()),
    },
    /** ID of the message or call on the service. */
    serviceId: {
      schema: optional(text),
      from: ({ serviceId }) => serviceId,
      title: 'SERVICE ID',
      kind: 'id',
      priority: 4,
    },
    dedupeKey: { schema: optional(text), from: ({ dedupeKey }) => dedupeKey },
    digest: { schema: text, from: ({ digest }) => digest },
    /** The reason why `outcome resolve` could not resolve the outcome. */
    reason: { schema: optional(text), title: 'REASON', priority: 6, folds: true },
  },
);
