import type { AssignmentDetail, AssignmentPayload } from '../../features/assignment/index.ts';
import {
  columnFor,
  executeRun,
  itemResult,
  reportEmptyRun,
  skippedOutcome,
  unsentResult,
  type BulkWork,
  type Journal,
  type JournalItem,
  type RowOutcome,
  readDetail,
} from '../../features/bulk/index.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { messageOf } from '../../errors/command.ts';
import { type CommandText, ucctl } from '../../errors/hint.ts';
import { counted } from '../../platform/counted.ts';
import type { TakeRows } from './settings-run.ts';
import { assignmentRows, skippedRow, statusOf, toRow, type AssignmentRow } from './assignment.rows.ts';
import { changeStatusOf } from '../../runtime/change-status.ts';

/** Parts of the report in addition to the changes of the run. */
type Reported = Pick<AssignmentDetail, 'input' | 'unchanged' | 'skipped'>;

interface RunParts {
  readonly ctx: Context;
  readonly journal: Journal;
  readonly run: string;
  readonly work: BulkWork<AssignmentPayload>;
  readonly options: BulkOptions;
  /** Takes the rows of the changed settings. The report shows them before the rows of the agents. */
  readonly earlier?: TakeRows;
}

/** The command that resumes a run of agent changes, without the ID of the run. */
export const resumeCommand = ucctl('queue apply --resume');

/**
 * Executes a run completely and reports the result of every change. @throws the error of a run that did not make all
 * changes.
 */
export async function runAndReport({
  ctx,
  journal,
  run,
  work,
  options,
  earlier = () => [],
}: RunParts): Promise<void> {
  const detail = readDetail(journal, run) as AssignmentDetail;
  const end = await executeRun<AssignmentPayload>({
    ctx,
    journal,
    run,
    work,
    options,
    maxItems: options.maxItems,
    label: 'Assigning agents',
    resume: resumeCommand,
    canUndo: true,
    placeOf: (made) =>
      ` in ${counted(new Set(made.map(({ payload }) => String(payload.queue.id))).size, 'queue')}`,
    unchanged: detail.unchanged.length,
    rows: { outcomes: (items) => outcomesOf(detail, items) },
    report: (items, again) => showRows(ctx, [...earlier(), ...rowsOf(detail, items)], again),
  });
  if (end.error === undefined) return;
  ctx.out.warn(`a request failed (${messageOf(end.error)}), but all changes are in effect`);
}

/**
 * Reports a list that needs no requests. @throws {CommandError} `partial` (exit 8) if rows of the list were skipped.
 */
export function reportEmpty(
  ctx: Context,
  detail: Reported,
  { results }: BulkOptions,
  earlier: TakeRows = () => [],
): Promise<void> {
  return reportEmptyRun(ctx, {
    results,
    input: detail.input,
    skipped: detail.skipped ?? [],
    unchanged: detail.unchanged.length,
    rows: { outcomes: () => outcomesOf(detail, []) },
    report: () => showRows(ctx, [...earlier(), ...rowsOf(detail, [])]),
  });
}

/**
 * Shows the rows of the report. For people, a note counts the rows that were already up to date: they could hide a failed
 * row.
 */
async function showRows(ctx: Context, rows: readonly AssignmentRow[], again?: CommandText): Promise<void> {
  const { list: view } = assignmentRows;
  const { format, isTerminal } = ctx.out;
  if (format !== 'table' || !isTerminal) return ctx.out.list(rows, view);
  const shown = rows.filter(({ status }) => status !== 'unchanged');
  if (shown.length === 0) return;
  await ctx.out.list(shown, again === undefined ? view : { ...view, again });
  const unchanged = rows.length - shown.length;
  if (unchanged > 0) ctx.out.note(`${unchanged.toLocaleString('en-US')} already up to date.`);
}

/** Returns the rows of the report in the order of the input; changes without a row come last. */
function rowsOf(
  detail: Reported,
  items: readonly JournalItem<AssignmentPayload>[],
): readonly AssignmentRow[] {
  const rows = Array.from(changesOf(detail, items), ({ payload, item }) => ({
    at: payload.rows[0] ?? Number.MAX_SAFE_INTEGER,
    row: toRow(payload, item ? changeStatusOf(item) : 'unchanged'),
  }));
  const skipped = (detail.skipped ?? []).map((request) => ({
    at: request.row ?? Number.MAX_SAFE_INTEGER,
    row: skippedRow(request),
  }));
  return [...rows, ...skipped].toSorted((a, b) => a.at - b.at).map(({ row }) => row);
}

interface Change {
  readonly payload: AssignmentPayload;
  /** The change in the journal; absent if the change was already in effect. */
  readonly item: JournalItem<AssignmentPayload> | undefined;
}

function* changesOf(
  detail: Reported,
  items: Iterable<JournalItem<AssignmentPayload>>,
): Generator<Change, void, undefined> {
  for (const payload of detail.unchanged) yield { payload, item: undefined };
  for (const item of items) yield { payload: item.payload, item };
}

function* outcomesOf(
  detail: Reported,
  items: Iterable<JournalItem<AssignmentPayload>>,
): Generator<RowOutcome, void, undefined> {
  for (const { payload, item } of changesOf(detail, items)) {
    const { action, rows } = payload;
    const status = statusOf(action, item ? changeStatusOf(item) : 'unchanged');
    const result = item ? itemResult(item, status, action) : unsentResult(status, action);
    // The cells are only for a change that no row of the list requests.
    yield { rows, result, ...(rows.length === 0 && { cells: cellsFor(detail.input.headings, payload) }) };
  }
  for (const request of detail.skipped ?? []) yield skippedOutcome(request, request.action);
}

/** Returns a row in the columns of the list, for a change that no row of the list requests. */
function cellsFor(
  headings: readonly string[],
  { queue, agent, action }: AssignmentPayload,
): readonly string[] {
  const cells = headings.map(() => '');
  const set = (field: 'queue' | 'extension' | 'action', value: string): void => {
    const index = columnFor(headings, field);
    if (index >= 0) cells[index] = value;
  };
  set('queue', String(queue.id));
  set('extension', String(agent.id));
  set('action', action);
  return cells;
}
