import type { RunSummary } from '../../features/bulk/index.ts';
import { integer, mapOf, nullable, text, textOf, time } from '../../runtime/output-schema.ts';
import { rows, source } from '../../runtime/rows.ts';

interface Counts {
  readonly counts: Readonly<Record<string, number>>;
}

/** Returns the number of changes without a result. */
function leftOf({ counts }: Counts): number {
  return (counts['planned'] ?? 0) + (counts['sent'] ?? 0);
}

/** Returns the state with the changes that were not made, such as `done, 1 failed`. */
function stateText({ state, counts }: Counts & Pick<RunSummary, 'state'>): string {
  const parts = [
    ['failed', counts['failed'] ?? 0],
    ['unknown', counts['unknown'] ?? 0],
    ['left', leftOf({ counts })],
  ] as const;
  return [state, ...parts.flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : []))].join(', ');
}

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
      folds: true,
      shown: stateText,
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
    failed: { title: 'FAILED', kind: 'number', isIncluded: true, cell: ({ counts }) => counts['failed'] },
    unknown: { title: 'UNKNOWN', kind: 'number', isIncluded: true, cell: ({ counts }) => counts['unknown'] },
    left: { title: 'LEFT', kind: 'number', isIncluded: true, cell: leftOf },
  },
);

/** The columns of `history list`; the title comes last because it is the widest. */
export const runColumns = ['id', 'startedAt', 'state', 'ok', 'earlier', 'failed', 'unknown', 'left', 'title'];
