import { resolve } from 'node:path';
import type { AssignmentDetail, AssignmentPayload } from '../../features/assignment/index.ts';
import {
  countItems,
  endingError,
  progressText,
  maxErrorsOf,
  resultsCsv,
  standingOf,
  runBulk,
  type BulkWork,
  type Journal,
  type JournalItem,
  type RowResult,
} from '../../features/bulk/index.ts';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { assignmentView, statusOf, toRow } from './assignment-view.ts';

interface RunParts {
  readonly ctx: Context;
  readonly journal: Journal;
  readonly run: string;
  readonly work: BulkWork<AssignmentPayload>;
  readonly options: BulkOptions;
}

/** Carries a run to its end and tells what became of every change. @throws what the run ends with when it did not go through. */
export async function runAndReport({ ctx, journal, run, work, options }: RunParts): Promise<void> {
  const { maxItems, concurrency } = options;
  const maxErrors = maxErrorsOf(options, journal.items(run).length);
  const end = await ctx.out.progress('assigning agents', (update) =>
    runBulk<AssignmentPayload>({
      journal,
      run,
      work,
      maxItems,
      concurrency,
      maxErrors,
      signal: ctx.signal,
      onProgress: (progress) => update(progressText(progress)),
    }),
  );
  const counts = countItems(journal.items(run));
  if (counts.planned + counts.sent === 0) journal.finish(run, 'done');
  const detail = journal.detail(run) as AssignmentDetail;
  const items = journal.items<AssignmentPayload>(run);
  if (options.results !== undefined) {
    await writeFileAtomic(resolve(ctx.cwd, options.results), resultsText(detail, items));
  }
  const error = endingError({ end, counts, run, resume: 'ucctl queue apply --resume' });
  if (error !== undefined && error === end.error) throw error;
  await ctx.out.list(
    inOrder(detail, items).map(({ payload, item }) => toRow(payload, item ? standingOf(item) : 'unchanged')),
    assignmentView,
  );
  if (end.stopped === 'interrupted') {
    ctx.out.note(`go on: ucctl queue apply --resume ${run}`);
    ctx.signal.throwIfAborted();
  }
  if (error !== undefined) throw error;
  if (end.error !== undefined)
    ctx.out.warn('the service answered with an error, but all changes are in place');
}

interface Outcome {
  readonly payload: AssignmentPayload;
  /** Absent for what was so already. */
  readonly item: JournalItem<AssignmentPayload> | undefined;
}

/** In the order of the input; what no row asked for comes last. */
function inOrder(
  detail: AssignmentDetail,
  items: readonly JournalItem<AssignmentPayload>[],
): readonly Outcome[] {
  const outcomes: Outcome[] = [
    ...detail.unchanged.map((payload) => ({ payload, item: undefined })),
    ...items.map((item) => ({ payload: item.payload, item })),
  ];
  const first = ({ payload }: Outcome): number => payload.rows[0] ?? Number.MAX_SAFE_INTEGER;
  return outcomes.toSorted((a, b) => first(a) - first(b));
}

function resultsText(detail: AssignmentDetail, items: readonly JournalItem<AssignmentPayload>[]): string {
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
  return resultsCsv(
    detail.input,
    rows.toSorted((a, b) => a.index - b.index),
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
