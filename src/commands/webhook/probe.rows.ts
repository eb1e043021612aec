import { anything, integer, nullable, number, optional, text, textOf } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** The result of one kind of request in `webhook check`. */
export type CheckRow = RowOf<typeof checkRows>;

export const checkRows = rows(
  {},
  {
    check: { schema: textOf<'handshake' | 'notification'>(), title: 'CHECK', priority: 6 },
    status: { schema: textOf<'ok' | 'failed'>(), title: 'STATUS', kind: 'status', priority: 7 },
    /** Number of requests sent; fewer than requested if the receiver stops replying. */
    tries: { schema: integer },
    failed: { schema: integer, title: 'FAILED', priority: 4, cell: (row) => `${row.failed} of ${row.tries}` },
    medianMilliseconds: { schema: nullable(number), title: 'MEDIAN MS', kind: 'number', priority: 2 },
    slowestMilliseconds: { schema: nullable(number), title: 'SLOWEST MS', kind: 'number', priority: 1 },
    problem: { schema: nullable(text), title: 'PROBLEM', priority: 5, folds: true },
  },
);

/** One request of `webhook trigger`. */
export type TriggerRow = RowOf<typeof triggerRows>;

export const triggerRows = rows(
  {},
  {
    step: { schema: textOf<'handshake' | 'notification'>(), title: 'STEP', priority: 6 },
    status: { schema: textOf<'ok' | 'failed'>(), title: 'STATUS', kind: 'status', priority: 7 },
    milliseconds: { schema: nullable(number), title: 'MS', kind: 'number', priority: 1 },
    problem: { schema: nullable(text), title: 'PROBLEM', priority: 5, folds: true },
    /** The notification that was sent; null for the handshake. */
    notification: { schema: optional(anything) },
  },
);
