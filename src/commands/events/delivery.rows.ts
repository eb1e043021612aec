import { id, integer, nullable, text, textOf } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** The result of resending an event. */
export type ReplayRow = RowOf<typeof replayRows>;

export const replayRows = rows(
  {},
  {
    id: { schema: id, title: 'ID', kind: 'id', priority: 5 },
    uuid: { schema: text, title: 'UUID', kind: 'id', priority: 1 },
    target: { schema: text, title: 'TARGET', priority: 2 },
    status: { schema: textOf<'delivered' | 'failed'>(), title: 'STATUS', kind: 'status', priority: 4 },
    problem: { schema: nullable(text), title: 'PROBLEM', priority: 3, folds: true },
  },
);

/** An event that could not be delivered to a target. */
export type DeadLetterRow = RowOf<typeof deadLetterRows>;

export const deadLetterRows = rows(
  { empty: 'No dead letters.' },
  {
    id: { schema: integer, title: 'ID', kind: 'id', priority: 4 },
    eventId: { schema: integer, title: 'EVENT', kind: 'id', priority: 3 },
    target: { schema: text, title: 'TARGET', priority: 3 },
    attempts: { schema: integer, title: 'ATTEMPTS', kind: 'number', priority: 1 },
    problem: { schema: nullable(text), title: 'PROBLEM', priority: 2, folds: true },
    status: {
      schema: textOf<'dead' | 'delivered' | 'due' | 'dropped'>(),
      title: 'STATUS',
      kind: 'status',
      priority: 4,
    },
  },
);
