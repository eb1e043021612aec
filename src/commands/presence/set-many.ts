import type { Client } from '../../client/index.ts';
import {
  carryOut,
  confirmResume,
  estimateSeconds,
  estimateText,
  findResumable,
  isOpen,
  resultsCsv,
  serviceOf,
  standingOf,
  withholdAll,
  withRunJournal,
  type Journal,
  type JournalItem,
  type RunInput,
  type RunOptions,
} from '../../features/bulk/index.ts';
import {
  presenceKind,
  presenceWork,
  sameFields,
  updateFor,
  type PresenceDetail,
  type PresencePayload,
  type PresenceWish,
  presenceSends,
} from '../../features/presence/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../runtime/errors.ts';
import type { View } from '../../runtime/output.ts';
import { nameOf, type Person } from './who.ts';

/** What is wished of one person. */
export interface WishFor extends PresenceWish {
  readonly person: Person;
  /** Row of the input. */
  readonly row: number | undefined;
}

interface ResultRow {
  readonly extensionId: string;
  readonly who: string;
  readonly change: string;
  readonly status: string;
  readonly message: string | undefined;
}

const view: View<ResultRow> = {
  columns: [
    { key: 'extensionId', title: 'ID', kind: 'id', value: (row) => row.extensionId, priority: 1 },
    { key: 'who', title: 'WHO', value: (row) => row.who, priority: 5 },
    { key: 'change', title: 'CHANGE', value: (row) => row.change, priority: 3 },
    { key: 'status', title: 'STATUS', kind: 'status', value: (row) => row.status, priority: 4 },
    { key: 'message', title: 'MESSAGE', value: (row) => row.message, priority: 2 },
  ],
  empty: 'Nobody to change.',
};

/** Reads every presence, shows what will change, asks, and carries it out as a run. */
export async function setMany(
  ctx: Context,
  api: Client,
  wishes: readonly WishFor[],
  input: RunInput,
  options: RunOptions,
): Promise<void> {
  const planned = await ctx.out.progress('reading presence', () => plan(ctx, api, wishes));
  if (planned.length === 0) {
    ctx.out.note('nothing to change: it is so already');
    return ctx.out.list<ResultRow>([], view);
  }
  ctx.out.show(planned.map(({ subject, payload }) => `  ${subject}: ${changeText(payload)}`).join('\n'));
  const counts = { Medium: planned.length, Light: planned.length };
  if (estimateSeconds(counts, { Light: wishes.length }) >= 60) {
    ctx.out.show(`this takes ${estimateText(counts, { Light: wishes.length })}`);
  }
  if (!ctx.dryRun && !(await ctx.prompt.confirm(`Change the presence of ${planned.length}?`))) {
    throw new CommandError('declined', Exit.refused, 'not confirmed; nothing was changed');
  }
  if (ctx.dryRun) {
    return withholdAll(
      presenceSends(
        api,
        planned.map(({ payload }) => payload),
      ),
    );
  }
  await withRunJournal(ctx, async (journal) => {
    const detail: PresenceDetail = { input };
    const run = journal.create<PresencePayload>({
      kind: presenceKind,
      title: `change the presence of ${planned.length}`,
      baseUrl: serviceOf(ctx),
      now: ctx.now(),
      detail,
      items: planned,
    });
    await carryOutPresence(ctx, api, journal, run, options);
  });
}

interface PlannedPresence {
  readonly action: string;
  readonly subject: string;
  readonly payload: PresencePayload;
}

/** @throws {CommandError} naming everyone whose queue calls cannot be switched. */
async function plan(
  ctx: Context,
  api: Client,
  wishes: readonly WishFor[],
): Promise<readonly PlannedPresence[]> {
  const planned: PlannedPresence[] = [];
  const problems: string[] = [];
  for (const wish of wishes) {
    const present = await api.presence.get(wish.person.id, {}, { signal: ctx.signal });
    try {
      const update = updateFor(present, wish);
      if (Object.keys(update).length === 0) continue;
      const extensionId = String(present.extension.id);
      const payload = { extensionId, update, before: sameFields(present, update), row: wish.row };
      planned.push({ action: 'set', subject: nameOf(wish.person), payload });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      problems.push(`${nameOf(wish.person)}: ${error.message}`);
    }
  }
  if (problems.length > 0) throw usageError('queue calls cannot be switched', 'nothing was sent', problems);
  return planned;
}

/** `presence set --resume RUN` */
export async function resumePresence(ctx: Context, word: string, options: RunOptions): Promise<void> {
  const api = await ctx.api();
  await withRunJournal(ctx, async (journal) => {
    const run = findResumable(ctx, journal, word, { kind: presenceKind, what: 'change of presence' });
    await confirmResume(ctx, run);
    if (ctx.dryRun) {
      const left = journal.items<PresencePayload>(run.id).filter(isOpen);
      return withholdAll(
        presenceSends(
          api,
          left.map(({ payload }) => payload),
        ),
      );
    }
    await carryOutPresence(ctx, api, journal, run.id, options);
  });
}

async function carryOutPresence(
  ctx: Context,
  api: Client,
  journal: Journal,
  run: string,
  options: RunOptions,
): Promise<void> {
  const { input } = journal.detail(run) as PresenceDetail;
  await carryOut<PresencePayload>({
    ctx,
    journal,
    run,
    options,
    work: presenceWork(api),
    // A request is for one person.
    maxItems: 1,
    label: 'changing presence',
    resume: 'ucctl presence set --resume',
    resultsText: (items) => resultsText(input, items),
    report: (items) => ctx.out.list(items.map(toResult), view),
  });
}

function toResult(item: JournalItem<PresencePayload>): ResultRow {
  const { payload, subject, message } = item;
  return {
    extensionId: payload.extensionId,
    who: subject,
    change: changeText(payload),
    status: statusWord(item),
    message,
  };
}

function statusWord(item: JournalItem<unknown>): string {
  const standing = standingOf(item);
  return standing === 'ok' ? 'changed' : standing;
}

/** `dndStatus TakeAllCalls -> DoNotAcceptAnyCalls` */
function changeText({ update, before }: PresencePayload): string {
  const old = before as Readonly<Record<string, unknown>>;
  return Object.entries(update)
    .map(([key, value]) => `${key} ${textOf(old[key])} -> ${textOf(value)}`)
    .join(', ');
}

function textOf(value: unknown): string {
  if (value === '' || value === undefined) return '(none)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function resultsText(input: RunInput, items: readonly JournalItem<PresencePayload>[]): string {
  const byRow = new Map(items.map((item) => [item.payload.row, item]));
  const rows = input.rows.map((row, index) => {
    const item = byRow.get(index);
    const { code, message, requestId, attempts = 0, time } = item ?? {};
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
  return resultsCsv(input, [...rows, ...extra]);
}
