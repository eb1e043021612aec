import type { Client } from '../../client/index.ts';
import {
  executeRun,
  itemResult,
  skippedLine,
  reportEmptyRun,
  resumeRun,
  skippedOutcome,
  unsentResult,
  type Journal,
  type JournalItem,
  type ResultRows,
  type RunOptions,
  readDetail,
} from '../../features/bulk/index.ts';
import {
  presenceKind,
  presenceSends,
  presenceWork,
  type PresenceRunDetail,
  type PresencePayload,
  type SkippedPerson,
} from '../../features/presence/index.ts';
import type { Context } from '../../runtime/context.ts';
import { ucctl } from '../../errors/hint.ts';
import { changeRows, type ChangeRow } from './change.rows.ts';
import { changesOfPayload } from './field-changes.ts';
import { requireSamePresences } from './require-same.ts';
import { changeStatusOf } from '../../runtime/change-status.ts';

export async function resumePresence(ctx: Context, word: string, options: RunOptions): Promise<void> {
  const api = await ctx.api();
  await resumeRun<PresencePayload>(ctx, word, {
    kind: presenceKind,
    what: 'presence change',
    check: (left) => requireSamePresences(ctx, api, left, 'either'),
    sends(left) {
      const payloads = left.map(({ payload }) => payload);
      return presenceSends(api, payloads);
    },
    execute: (journal, run) => changeAndReport(ctx, api, journal, run, options),
  });
}

/** The command that resumes a run of presence changes, without the ID of the run. */
export const resumeCommand = ucctl('presence set --resume');

/**
 * Executes a run completely and reports the result for every person. @throws the error of a run that did not make all
 * changes.
 */
export async function changeAndReport(
  ctx: Context,
  api: Client,
  journal: Journal,
  run: string,
  options: RunOptions,
): Promise<void> {
  const detail = readDetail(journal, run) as PresenceRunDetail;
  const { skipped = [] } = detail;
  await executeRun<PresencePayload>({
    ctx,
    journal,
    run,
    options,
    work: presenceWork(api),
    // The service changes one presence in each request.
    maxItems: 1,
    label: 'Changing presence',
    resume: resumeCommand,
    canUndo: true,
    rows: resultRows(detail),
    report: (items, again) =>
      ctx.out.list([...items.map(toRow), ...skipped.map(skippedRow)], { ...changeRows.list, again }),
  });
}

/**
 * Reports a list that needs no requests. @throws {CommandError} `partial` (exit 8) if rows of the list were skipped.
 */
export async function reportEmpty(
  ctx: Context,
  detail: PresenceRunDetail,
  unchanged: number,
  { results }: RunOptions,
): Promise<void> {
  const { skipped = [] } = detail;
  ctx.out.note('No changes: everything is already up to date.');
  await reportEmptyRun(ctx, {
    results,
    input: detail.input,
    skipped,
    unchanged,
    rows: resultRows(detail),
    report: () => ctx.out.list<ChangeRow>(skipped.map(skippedRow), { ...changeRows.list, empty: '' }),
  });
}

function toRow(item: JournalItem<PresencePayload>): ChangeRow {
  const { payload, subject, message } = item;
  const changes = changesOfPayload(payload);
  return { extensionId: payload.extensionId, who: subject, changes, status: statusWord(item), message };
}

function skippedRow(person: SkippedPerson): ChangeRow {
  const message = skippedLine(person);
  return { extensionId: null, who: person.who, changes: {}, status: 'skipped', message };
}

function statusWord(item: JournalItem<unknown>): ChangeRow['status'] {
  const status = changeStatusOf(item);
  return status === 'ok' ? 'changed' : status;
}

/**
 * Returns the rows of the results file. A row that repeats a person or requests the present values has no item, and its
 * status is `unchanged`.
 */
function resultRows({ skipped = [] }: PresenceRunDetail): ResultRows<PresencePayload> {
  return {
    *outcomes(items) {
      for (const item of items) {
        const { row, extensionId } = item.payload;
        const result = itemResult(item, statusWord(item), 'set');
        yield { rows: row === undefined ? [] : [row], result, cells: [extensionId] };
      }
      for (const row of skipped) yield skippedOutcome(row, 'set');
    },
    rest: () => unsentResult('unchanged', 'set'),
  };
}
