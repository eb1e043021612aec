import { resolve } from 'node:path';
import type { Client } from '../../client/index.ts';
import {
  countItems,
  endingError,
  estimateSeconds,
  estimateText,
  Journal,
  progressText,
  readMap,
  maxErrorsOf,
  resultsCsv,
  runBulk,
  withRunLock,
  type JournalItem,
  withholdAll,
} from '../../features/bulk/index.ts';
import {
  confirmSend,
  readNumber,
  readTextList,
  readWhole,
  textRunKind,
  textWork,
  type TextList,
  type TextPayload,
  type TextRunDetail,
} from '../../features/outgoing/index.ts';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, notFoundError, usageError } from '../../runtime/errors.ts';
import type { View } from '../../runtime/output.ts';
import { chooseSender, rememberSender } from './sender.ts';

export interface SendManyOptions extends Omit<BulkOptions, 'maxItems'> {
  readonly template?: string;
  readonly from?: string;
  readonly dedupeKey?: string;
}

interface ResultRow {
  readonly to: string;
  readonly status: string;
  readonly message: string | undefined;
}

const view: View<ResultRow> = {
  columns: [
    { key: 'to', title: 'TO', kind: 'phone', value: (row) => row.to, priority: 5 },
    { key: 'status', title: 'STATUS', kind: 'status', value: (row) => row.status, priority: 4 },
    { key: 'message', title: 'MESSAGE', value: (row) => row.message, priority: 2 },
  ],
};

/** `sms send --file LIST --template TEXT`: a text for each row, as a run that can be carried on and never sends one twice. */
export async function sendMany(ctx: Context, template: string, options: SendManyOptions): Promise<void> {
  const list = await readList(ctx, template, options);
  const asked = options.from === undefined ? undefined : await readNumber(ctx, '--from', options.from);
  const numbers = list.texts.map(({ to }) => to);
  await (await ctx.policy()).check({ kind: 'sms', numbers, count: numbers.length });
  const api = await ctx.api();
  const from = asked?.number ?? (await chooseSender(ctx, api));
  const payloads = list.texts.map((text): TextPayload => ({ ...text, from }));
  showPlan(ctx, list, from);
  await confirmSend(ctx, `Send ${payloads.length} texts?`);
  if (ctx.dryRun) {
    return withholdAll(
      payloads.map(
        ({ from, to, text }) =>
          () =>
            api.messages.sendSms({ from: { phoneNumber: from }, to: [{ phoneNumber: to }], text }),
      ),
    );
  }
  await withJournal(ctx, async (journal) => {
    const detail: TextRunDetail = { input: list.input, dedupeKey: options.dedupeKey };
    const run = journal.create<TextPayload>({
      kind: textRunKind,
      title: `send ${payloads.length} texts`,
      baseUrl: baseUrlOf(ctx),
      now: ctx.now(),
      detail,
      items: payloads.map((payload) => ({ action: 'send', subject: payload.to, payload })),
    });
    await carryOut(ctx, api, journal, run, options);
  });
  if (asked) await rememberSender(ctx, asked.number);
}

/** `sms send --resume RUN` */
export async function resumeTexts(ctx: Context, word: string, options: SendManyOptions): Promise<void> {
  const policy = await ctx.policy();
  const api = await ctx.api();
  await withJournal(ctx, async (journal) => {
    const head = journal.find(word);
    if (!head) throw notFoundError(`there is no run "${word}"`, 'the runs: ucctl history list');
    if (head.kind !== textRunKind || head.baseUrl !== baseUrlOf(ctx)) {
      throw usageError(
        `the run ${head.id} is none of texts at this service`,
        `look at it: ucctl history show ${head.id}`,
      );
    }
    const left = journal.items<TextPayload>(head.id).filter(({ status }) => status === 'planned');
    const numbers = left.map(({ payload }) => payload.to);
    await policy.check({ kind: 'sms', numbers, count: numbers.length });
    ctx.out.show(`${left.length} texts of the run ${head.id} are left`);
    if (left.length > 0) await confirmSend(ctx, `Send ${left.length} texts?`);
    if (!ctx.dryRun) await carryOut(ctx, api, journal, head.id, options);
  });
}

async function readList(ctx: Context, template: string, { file, map }: SendManyOptions): Promise<TextList> {
  if (file === undefined) throw usageError('--template needs a list', 'give --file LIST, or --file -');
  const name = file === '-' ? 'stdin' : file;
  const columns = readColumns(map);
  const country = ctx.settings.defaultCountry.value;
  const list = await readTextList(await readWhole(ctx, file), name, { template, map: columns, country });
  const { length } = list.problems;
  if (length === 0) return list;
  const headline =
    length === 1 ? 'there is a problem in the list' : `there are ${length} problems in the list`;
  throw usageError(headline, 'nothing was sent', list.problems);
}

function readColumns(words: readonly string[]): ReadonlyMap<string, string> {
  try {
    return readMap(words);
  } catch (error) {
    throw usageError((error as Error).message);
  }
}

function showPlan(ctx: Context, { texts, input }: TextList, from: string): void {
  const same = input.rows.length - texts.length;
  const [first] = texts;
  const receivers = new Set(texts.map(({ to }) => to)).size;
  ctx.out.show(
    [
      `${texts.length} texts from ${from} to ${receivers} numbers${same > 0 ? `; ${same} rows ask for the same again and are left out` : ''}`,
      ...(first ? [`the first, to ${first.to}: ${first.text}`] : []),
    ].join('\n'),
  );
  const counts = { Medium: texts.length };
  if (estimateSeconds(counts) >= 60) ctx.out.show(`this takes ${estimateText(counts)}`);
}

async function withJournal(ctx: Context, work: (journal: Journal) => Promise<void>): Promise<void> {
  await withRunLock(ctx.paths.state, baseUrlOf(ctx), ctx.signal, async () => {
    const journal = Journal.open(ctx.paths.state, () => ctx.now());
    try {
      await work(journal);
    } finally {
      journal.close();
    }
  });
}

async function carryOut(
  ctx: Context,
  api: Client,
  journal: Journal,
  run: string,
  options: SendManyOptions,
): Promise<void> {
  const { input, dedupeKey } = journal.detail(run) as TextRunDetail;
  const end = await ctx.out.progress('sending texts', (update) =>
    runBulk<TextPayload>({
      journal,
      run,
      work: textWork(api, dedupeKey),
      maxItems: 1,
      concurrency: options.concurrency,
      maxErrors: maxErrorsOf(options, journal.items(run).length),
      signal: ctx.signal,
      onProgress: (progress) => update(progressText(progress)),
    }),
  );
  const items = journal.items<TextPayload>(run);
  const counts = countItems(items);
  if (counts.planned + counts.sent === 0) journal.finish(run, 'done');
  if (options.results !== undefined) {
    await writeFileAtomic(resolve(ctx.cwd, options.results), resultsText(input, items));
  }
  const error = endingError({ end, counts, run, resume: 'ucctl sms send --resume' });
  if (error !== undefined && error === end.error) throw error;
  await ctx.out.list(items.map(toResult), view);
  if (end.stopped === 'interrupted') {
    ctx.out.note(`go on: ucctl sms send --resume ${run}`);
    ctx.signal.throwIfAborted();
  }
  if (counts.unknown === 0 && error !== undefined) throw error;
  if (counts.unknown > 0) {
    throw new CommandError(
      'outcome_unknown',
      Exit.outcomeUnknown,
      `of ${counts.unknown} of ${items.length} texts it is not known whether they were sent; ${counts.ok} were, ${counts.failed} failed, ${counts.planned + counts.sent} are left`,
      {
        hint: `find out: ucctl outcome resolve --all; then go on: ucctl sms send --resume ${run}`,
        cause: end.error,
      },
    );
  }
}

function toResult({ payload, status, message }: JournalItem<TextPayload>): ResultRow {
  return { to: payload.to, status: statusWord(status), message };
}

function statusWord(status: JournalItem<unknown>['status']): string {
  if (status === 'ok') return 'sent';
  return status === 'planned' || status === 'sent' ? 'not sent' : status;
}

/** Every row of the list, in its order. */
function resultsText(input: TextRunDetail['input'], items: readonly JournalItem<TextPayload>[]): string {
  const byRow = new Map(items.flatMap((item) => item.payload.rows.map((row) => [row, item] as const)));
  const rows = input.rows.map((row, index) => {
    const item = byRow.get(index);
    const { code, message, requestId, attempts = 0, time } = item ?? {};
    const isAgain = item !== undefined && item.payload.rows[0] !== index;
    const status = isAgain ? 'duplicate' : statusWord(item?.status ?? 'planned');
    return { row, result: { status, action: 'send', code, message, requestId, attempts, time } };
  });
  return resultsCsv(input, rows);
}

function baseUrlOf(ctx: Context): string {
  return ctx.settings.baseUrl.value ?? '';
}
