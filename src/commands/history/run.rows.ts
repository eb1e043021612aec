import type { RunSummary } from '../../features/bulk/index.ts';
import { integer, nullable, object, oneOf, text, time } from '../../runtime/output-schema.ts';
import { rows, source } from '../../runtime/rows.ts';
import { runStateText } from '../../runtime/run-state-text.ts';

/** A run of the journal. */
export const runRows = rows(
  { source: source<RunSummary>(), empty: 'No runs yet.' },
  {
    id: { schema: text, from: (run) => run.id, title: 'RUN', priority: 8, whole: true },
    kind: { schema: text, from: (run) => run.kind },
    title: { schema: text, from: (run) => run.title, title: 'WHAT', priority: 6, folds: 2, below: '' },
    baseUrl: { schema: text, from: (run) => run.baseUrl },
    startedAt: {
      schema: time,
      from: (run) => new Date(run.started).toISOString(),
      title: 'STARTED',
      kind: 'time',
      priority: 5,
    },
    /** Null while the run is open. */
    endedAt: {
      schema: nullable(time),
      from: (run) => (run.ended === undefined ? null : new Date(run.ended).toISOString()),
    },
    state: {
      schema: oneOf('open', 'done', 'undone', 'abandoned'),
      from: (run) => run.state,
      title: 'STATE',
      kind: 'status',
      priority: 7,
      folds: true,
      shown: runStateText,
    },
    /** Number of changes by result. `ok`: made or sent, `left`: without a recorded reply. */
    counts: {
      schema: object({ ok: integer, failed: integer, unknown: integer, left: integer }),
      from: ({ counts: { ok, failed, unknown, planned, sent } }) => ({
        ok,
        failed,
        unknown,
        left: planned + sent,
      }),
    },
    /** Number of the changes with status `ok` that an earlier run had made, such as texts sent with the same dedupe key. */
    earlier: {
      schema: integer,
      from: (run) => run.earlier,
      title: 'SENT EARLIER',
      kind: 'number',
      priority: 1,
    },
    ok: {
      title: 'DONE',
      kind: 'number',
      priority: 4,
      cell: ({ counts, earlier }) => counts.ok - earlier,
    },
    failed: { title: 'FAILED', kind: 'number', isIncluded: true, cell: ({ counts }) => counts.failed },
    unknown: { title: 'UNKNOWN', kind: 'number', isIncluded: true, cell: ({ counts }) => counts.unknown },
    left: { title: 'LEFT', kind: 'number', isIncluded: true, cell: ({ counts }) => counts.left },
  },
);

/** The columns of `history list`; the title comes last because it is the widest. */
export const runColumns = ['id', 'startedAt', 'state', 'ok', 'earlier', 'failed', 'unknown', 'left', 'title'];
