import type { AssignmentDetail, AssignmentPayload } from '../../features/assignment/index.ts';
import {
  executeRun,
  itemResult,
  reportIdleRun,
  standingOf,
  unsentResult,
  type BulkWork,
  type Journal,
  type JournalItem,
  type RowOutcome,
} from '../../features/bulk/index.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { ucctl } from '../../errors/hint.ts';
import { assignmentRows, refusedRow, statusOf, toRow, type AssignmentRow } from './assignment.rows.ts';

/** What of a run is reported beside its changes. */
type Reported = Pick<AssignmentDetail, 'input' | 'unchanged' | 'refused'>;

interface RunParts {
  readonly ctx: Context;
  readonly journal: Journal;
  readonly run: string;
  readonly work: BulkWork<AssignmentPayload>;
  readonly options: BulkOptions;
}

/** The command that resumes such a run, without its id. */
export const resumeCommand = ucctl('queue apply --resume');

/** Executes a run to its end and reports what became of every change. @throws what the run ends with when it did not go through. */
export async function runAndReport({ ctx, journal, run, work, options }: RunParts): Promise<void> {
  const detail = journal.detail(run) as AssignmentDetail;
  const end = await executeRun<AssignmentPayload>({
    ctx,
    journal,
    run,
    work,
    options,
    maxItems: options.maxItems,
    label: 'assigning agents',
    resume: resumeCommand,
    unchanged: detail.unchanged.length,
    rows: { outcomes: (items) => outcomesOf(detail, items) },
    report: (items) => ctx.out.list(rowsOf(detail, items), assignmentRows.list),
  });
  if (end.error === undefined) return;
  ctx.out.warn('the service answered with an error, but all changes are in place');
}

/** Reports a list that asks for nothing to be sent. @throws {CommandError} `partial` (exit 8) when rows of it were skipped. */
export function reportIdle(ctx: Context, detail: Reported, { results }: BulkOptions): Promise<void> {
  return reportIdleRun(ctx, {
    results,
    input: detail.input,
    refused: detail.refused ?? [],
    unchanged: detail.unchanged.length,
    rows: { outcomes: () => outcomesOf(detail, []) },
    report: () => ctx.out.list(rowsOf(detail, []), assignmentRows.list),
  });
}

/** In the order of the input; what no row asked for comes last. */
function rowsOf(
  detail: Reported,
  items: readonly JournalItem<AssignmentPayload>[],
): readonly AssignmentRow[] {
  const rows = changesOf(detail, items).map(({ payload, item }) => ({
    at: payload.rows[0] ?? Number.MAX_SAFE_INTEGER,
    row: toRow(payload, item ? standingOf(item) : 'unchanged'),
  }));
  const refused = (detail.refused ?? []).map((wish) => ({
    at: wish.row ?? Number.MAX_SAFE_INTEGER,
    row: refusedRow(wish),
  }));
  return [...rows, ...refused].toSorted((a, b) => a.at - b.at).map(({ row }) => row);
}

interface Change {
  readonly payload: AssignmentPayload;
  /** Absent for what was up to date already. */
  readonly item: JournalItem<AssignmentPayload> | undefined;
}

function changesOf(detail: Reported, items: readonly JournalItem<AssignmentPayload>[]): readonly Change[] {
  return [
    ...detail.unchanged.map((payload) => ({ payload, item: undefined })),
    ...items.map((item) => ({ payload: item.payload, item })),
  ];
}

function outcomesOf(
  detail: Reported,
  items: readonly JournalItem<AssignmentPayload>[],
): readonly RowOutcome[] {
  const changed = changesOf(detail, items).map(({ payload, item }): RowOutcome => {
    const { action, rows } = payload;
    const status = statusOf(action, item ? standingOf(item) : 'unchanged');
    const result = item ? itemResult(item, status, action) : unsentResult(status, action);
    return { rows, result, cells: cellsFor(detail.input.headings, payload) };
  });
  const skipped = (detail.refused ?? []).map((wish): RowOutcome => ({
    rows: wish.row === undefined ? [] : [wish.row],
    result: unsentResult('failed', wish.action, wish),
  }));
  return [...changed, ...skipped];
}

/** A row of the list's columns for a change that follows from who is not in it. */
function cellsFor(
  headings: readonly string[],
  { queue, agent, action }: AssignmentPayload,
): readonly string[] {
  const value = (heading: string): string => {
    const folded = heading
      .trim()
      .toLowerCase()
      .replace(/[\s_-]/g, '');
    if (/^(queue|queueid|queuenumber|callqueue|department)$/.test(folded)) return String(queue.id);
    if (/^(extension|ext|agent|agentid|extensionid|extensionnumber)$/.test(folded)) return String(agent.id);
    return /^(action|change|operation)$/.test(folded) ? action : '';
  };
  return headings.map(value);
}
