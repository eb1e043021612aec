import type { RunSummary } from '../../features/bulk/index.ts';
import { integer, mapOf, nullable, text, textOf, time } from '../../runtime/output-schema.ts';
import { rows, source } from '../../runtime/rows.ts';

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
      schema: textOf<RunSummary['state']>(),
      from: (run) => run.state,
      title: 'STATE',
      kind: 'status',
      priority: 7,
    },
    /** Number of changes in each status. */
    counts: { schema: mapOf(integer), from: (run) => run.counts },
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
      cell: ({ counts, earlier }) => (counts['ok'] ?? 0) - earlier,
    },
    failed: { title: 'FAILED', kind: 'number', priority: 4, cell: ({ counts }) => counts['failed'] },
    unknown: { title: 'UNKNOWN', kind: 'number', priority: 2, cell: ({ counts }) => counts['unknown'] },
    left: {
      title: 'LEFT',
      kind: 'number',
      priority: 3,
      cell: ({ counts }) => (counts['planned'] ?? 0) + (counts['sent'] ?? 0),
    },
  },
);

/** The columns of `history list`; the title comes last because it is the widest. */
export const runColumns = ['id', 'startedAt', 'state', 'ok', 'earlier', 'failed', 'unknown', 'left', 'title'];
