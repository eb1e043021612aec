import type { AssignmentDetail, AssignmentPayload } from '../../features/assignment/index.ts';
import {
  carryOut,
  resultsCsv,
  standingOf,
  tellIdle,
  type BulkWork,
  type Journal,
  type JournalItem,
  type RowResult,
} from '../../features/bulk/index.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { assignmentView, refusedRow, statusOf, toRow, type AssignmentRow } from './assignment-view.ts';

/** What of a run is told beside its changes. */
type Told = Pick<AssignmentDetail, 'input' | 'unchanged' | 'refused'>;

interface RunParts {
  readonly ctx: Context;
  readonly journal: Journal;
  readonly run: string;
  readonly work: BulkWork<AssignmentPayload>;
  readonly options: BulkOptions;
}

/** Carries a run to its end and tells what became of every change. @throws what the run ends with when it did not go through. */
export async function runAndReport({ ctx, journal, run, work, options }: RunParts): Promise<void> {
  const detail = journal.detail(run) as AssignmentDetail;
  const end = await carryOut<AssignmentPayload>({
    ctx,
    journal,
    run,
    work,
    options,
    maxItems: options.maxItems,
    label: 'assigning agents',
    resume: 'ucctl queue apply --resume',
    refused: detail.refused ?? [],
    unchanged: detail.unchanged.length,
    resultsText: (items, raw) => resultsText(detail, items, raw),
    report: (items) => ctx.out.list(rowsOf(detail, items), assignmentView),
  });
  if (end.error === undefined) return;
  ctx.out.warn('the service answered with an error, but all changes are in place');
}

/** Tells of a list that asks for nothing to be sent. @throws {CommandError} `partial` (exit 8) when rows of it were refused. */
export function reportIdle(ctx: Context, detail: Told, { results }: BulkOptions): Promise<void> {
  return tellIdle(ctx, {
    results,
    refused: detail.refused ?? [],
    unchanged: detail.unchanged.length,
    resultsText: (raw) => resultsText(detail, [], raw),
    report: () => ctx.out.list(rowsOf(detail, []), assignmentView),
  });
}

/** In the order of the input; what no row asked for comes last. */
function rowsOf(detail: Told, items: readonly JournalItem<AssignmentPayload>[]): readonly AssignmentRow[] {
  const rows = inOrder(detail, items).map(({ payload, item }) => ({
    at: payload.rows[0] ?? Number.MAX_SAFE_INTEGER,
    row: toRow(payload, item ? standingOf(item) : 'unchanged'),
  }));
  const refused = (detail.refused ?? []).map((wish) => ({
    at: wish.row ?? Number.MAX_SAFE_INTEGER,
    row: refusedRow(wish),
  }));
  return [...rows, ...refused].toSorted((a, b) => a.at - b.at).map(({ row }) => row);
}

interface Outcome {
  readonly payload: AssignmentPayload;
  /** Absent for what was so already. */
  readonly item: JournalItem<AssignmentPayload> | undefined;
}

/** In the order of the input; what no row asked for comes last. */
function inOrder(detail: Told, items: readonly JournalItem<AssignmentPayload>[]): readonly Outcome[] {
  const outcomes: Outcome[] = [
    ...detail.unchanged.map((payload) => ({ payload, item: undefined })),
    ...items.map((item) => ({ payload: item.payload, item })),
  ];
  const first = ({ payload }: Outcome): number => payload.rows[0] ?? Number.MAX_SAFE_INTEGER;
  return outcomes.toSorted((a, b) => first(a) - first(b));
}

function resultsText(detail: Told, items: readonly JournalItem<AssignmentPayload>[], raw: boolean): string {
  const rows = inOrder(detail, items).flatMap(({ payload, item }) => {
    const result: RowResult = {
      status: statusOf(payload.action, item ? standingOf(item) : 'unchanged'),
      action: payload.action,
      code: item?.code,
      message: item?.message,
      requestId: item?.requestId,
      attempts: item?.attempts ?? 0,
      time: item?.time,
    };
    const own = payload.rows.map((index) => detail.input.rows[index] ?? []);
    const cells = own.length > 0 ? own : [rowFor(detail.input.headings, payload)];
    return cells.map((row, at) => ({ index: payload.rows[at] ?? Number.MAX_SAFE_INTEGER, row, result }));
  });
  for (const wish of detail.refused ?? []) {
    const { row: index, action, code, message } = wish;
    if (index === undefined) continue;
    const row = detail.input.rows[index] ?? [];
    const result = {
      status: 'failed',
      action,
      code,
      message,
      requestId: undefined,
      attempts: 0,
      time: undefined,
    };
    rows.push({ index, row, result });
  }
  return resultsCsv(
    detail.input,
    rows.toSorted((a, b) => a.index - b.index),
    { raw },
  );
}

/** A row of the list's columns for a change that follows from who is not in it. */
function rowFor(headings: readonly string[], { queue, agent, action }: AssignmentPayload): readonly string[] {
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
