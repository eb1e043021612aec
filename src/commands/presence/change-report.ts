import type { Client } from '../../client/index.ts';
import {
  executeRun,
  itemResult,
  refusedLine,
  reportIdleRun,
  resumeRun,
  standingOf,
  unsentResult,
  type Journal,
  type JournalItem,
  type ResultRows,
  type RunOptions,
} from '../../features/bulk/index.ts';
import {
  presenceKind,
  presenceSends,
  presenceWork,
  type PresenceDetail,
  type PresencePayload,
  type RefusedPerson,
} from '../../features/presence/index.ts';
import type { Context } from '../../runtime/context.ts';
import { ucctl } from '../../errors/hint.ts';
import { changeRows, type ChangeRow } from './change.rows.ts';
import { changesOf } from './field-changes.ts';

/** `presence set --resume RUN` */
export async function resumePresence(ctx: Context, word: string, options: RunOptions): Promise<void> {
  const api = await ctx.api();
  await resumeRun<PresencePayload>(ctx, word, {
    kind: presenceKind,
    what: 'change of presence',
    sends(left) {
      const payloads = left.map(({ payload }) => payload);
      return presenceSends(api, payloads);
    },
    execute: (journal, run) => changeAndReport(ctx, api, journal, run, options),
  });
}

/** The command that resumes such a run, without its id. */
export const resumeCommand = ucctl('presence set --resume');

/** Executes a run to its end and reports what became of everyone. @throws what the run ends with when it did not go through. */
export async function changeAndReport(
  ctx: Context,
  api: Client,
  journal: Journal,
  run: string,
  options: RunOptions,
): Promise<void> {
  const detail = journal.detail(run) as PresenceDetail;
  const { refused = [] } = detail;
  await executeRun<PresencePayload>({
    ctx,
    journal,
    run,
    options,
    work: presenceWork(api),
    // A request is for one person.
    maxItems: 1,
    label: 'changing presence',
    resume: resumeCommand,
    rows: resultRows(detail),
    report: (items) => ctx.out.list([...items.map(toRow), ...refused.map(refusedRow)], changeRows.list),
  });
}

/** Reports a list that asks for nothing to be sent. @throws {CommandError} `partial` (exit 8) when rows of it were skipped. */
export async function reportIdle(
  ctx: Context,
  detail: PresenceDetail,
  unchanged: number,
  { results }: RunOptions,
): Promise<void> {
  const { refused = [] } = detail;
  ctx.out.note('no changes: everything is already up to date');
  await reportIdleRun(ctx, {
    results,
    input: detail.input,
    refused,
    unchanged,
    rows: resultRows(detail),
    report: () => ctx.out.list<ChangeRow>(refused.map(refusedRow), changeRows.list),
  });
}

function toRow(item: JournalItem<PresencePayload>): ChangeRow {
  const { payload, subject, message } = item;
  const changes = changesOf(payload.update, payload.before);
  return { extensionId: payload.extensionId, who: subject, changes, status: statusWord(item), message };
}

function refusedRow(person: RefusedPerson): ChangeRow {
  const message = refusedLine(person);
  return { extensionId: null, who: person.who, changes: {}, status: 'failed', message };
}

function statusWord(item: JournalItem<unknown>): string {
  const standing = standingOf(item);
  return standing === 'ok' ? 'changed' : standing;
}

/** A row that names someone twice, or asks for what is so already, has no item: it is unchanged. */
function resultRows({ refused = [] }: PresenceDetail): ResultRows<PresencePayload> {
  return {
    outcomes: (items) => [
      ...items.map((item) => ({
        rows: item.payload.row === undefined ? [] : [item.payload.row],
        result: itemResult(item, statusWord(item), 'set'),
        cells: [item.payload.extensionId],
      })),
      ...refused.map((one) => ({
        rows: one.row === undefined ? [] : [one.row],
        result: unsentResult('failed', 'set', one),
      })),
    ],
    rest: () => unsentResult('unchanged', 'set'),
  };
}
