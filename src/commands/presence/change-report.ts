import type { Client } from '../../client/index.ts';
import {
  carryOut,
  resumeRun,
  resultsCsv,
  standingOf,
  tellIdle,
  type Journal,
  type JournalItem,
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
import type { View } from '../../runtime/output.ts';
import { changesOf, textOfChanges, type FieldChanges } from './field-changes.ts';

/** What became of one person's presence. */
interface ChangeRow {
  /** Null for a row that names nobody. */
  readonly extensionId: string | null;
  readonly who: string;
  readonly changes: FieldChanges;
  readonly status: string;
  readonly message: string | undefined;
}

const view: View<ChangeRow> = {
  columns: [
    { key: 'extensionId', title: 'ID', kind: 'id', value: (row) => row.extensionId, priority: 1 },
    { key: 'who', title: 'WHO', value: (row) => row.who, priority: 5 },
    { key: 'change', title: 'CHANGE', value: (row) => textOfChanges(row.changes), priority: 3, folds: true },
    { key: 'status', title: 'STATUS', kind: 'status', value: (row) => row.status, priority: 4 },
    { key: 'message', title: 'MESSAGE', value: (row) => row.message, priority: 2 },
  ],
  empty: 'Nobody to change.',
};

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
    carry: (journal, run) => changeAndReport(ctx, api, journal, run, options),
  });
}

/** Carries a run to its end and tells what became of everyone. @throws what the run ends with when it did not go through. */
export async function changeAndReport(
  ctx: Context,
  api: Client,
  journal: Journal,
  run: string,
  options: RunOptions,
): Promise<void> {
  const detail = journal.detail(run) as PresenceDetail;
  const { refused = [] } = detail;
  await carryOut<PresencePayload>({
    ctx,
    journal,
    run,
    options,
    refused,
    work: presenceWork(api),
    // A request is for one person.
    maxItems: 1,
    label: 'changing presence',
    resume: 'ucctl presence set --resume',
    resultsText: (items, raw) => resultsText(detail, items, raw),
    report: (items) => ctx.out.list([...items.map(toRow), ...refused.map(refusedRow)], view),
  });
}

/** Tells of a list that asks for nothing to be sent. @throws {CommandError} `partial` (exit 8) when rows of it were refused. */
export async function reportIdle(
  ctx: Context,
  detail: PresenceDetail,
  unchanged: number,
  { results }: RunOptions,
): Promise<void> {
  const { refused = [] } = detail;
  ctx.out.note('nothing to change: it is so already');
  await tellIdle(ctx, {
    results,
    refused,
    unchanged,
    resultsText: (raw) => resultsText(detail, [], raw),
    report: () => ctx.out.list<ChangeRow>(refused.map(refusedRow), view),
  });
}

function toRow(item: JournalItem<PresencePayload>): ChangeRow {
  const { payload, subject, message } = item;
  const changes = changesOf(payload.update, payload.before);
  return { extensionId: payload.extensionId, who: subject, changes, status: statusWord(item), message };
}

function refusedRow({ who, message }: RefusedPerson): ChangeRow {
  return { extensionId: null, who, changes: {}, status: 'failed', message };
}

function statusWord(item: JournalItem<unknown>): string {
  const standing = standingOf(item);
  return standing === 'ok' ? 'changed' : standing;
}

function resultsText(
  { input, refused = [] }: PresenceDetail,
  items: readonly JournalItem<PresencePayload>[],
  raw: boolean,
): string {
  const byRow = new Map(items.map((item) => [item.payload.row, item]));
  const refusedByRow = new Map(refused.map((one) => [one.row, one]));
  const rows = input.rows.map((row, index) => {
    const item = byRow.get(index);
    const bad = refusedByRow.get(index);
    const { code, message, requestId, attempts = 0, time } = item ?? {};
    if (bad) {
      const { code, message } = bad;
      return { row, result: { status: 'failed', action: 'set', code, message, requestId, attempts, time } };
    }
    const status = item ? statusWord(item) : 'unchanged';
    return { row, result: { status, action: 'set', code, message, requestId, attempts, time } };
  });
  const extra = items
    .filter(({ payload }) => payload.row === undefined)
    .map((item) => {
      const { payload, code, message, requestId, attempts, time } = item;
      const result = { status: statusWord(item), action: 'set', code, message, requestId, attempts, time };
      return { row: [payload.extensionId], result };
    });
  return resultsCsv(input, [...rows, ...extra], { raw });
}
