import type { Client } from '../../client/index.ts';
import {
  announceTime,
  carryOut,
  findResumable,
  listError,
  readListFile,
  readMap,
  resultsCsv,
  serviceOf,
  withholdAll,
  withRunJournal,
  type Journal,
  type JournalItem,
} from '../../features/bulk/index.ts';
import {
  confirmSend,
  readNumber,
  readTextList,
  settledResult,
  textRunKind,
  textWork,
  type TextList,
  type TextPayload,
  type TextRunDetail,
} from '../../features/outgoing/index.ts';
import { counted, isOrAre, wasOrWere } from '../../platform/counted.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../runtime/errors.ts';
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
  if (list.unknown > 0)
    ctx.out.warn(
      `${counted(list.unknown, 'row')} ${isOrAre(list.unknown)} left out, as the results file does not know whether the text was sent: ucctl outcome resolve --all`,
    );
  if (list.texts.length === 0) {
    ctx.out.note('nothing is left to send: by the results file every row was dealt with');
    return ctx.out.list<ResultRow>([], view);
  }
  const asked = options.from === undefined ? undefined : await readNumber(ctx, '--from', options.from);
  const numbers = list.texts.map(({ to }) => to);
  await (await ctx.policy()).check({ kind: 'sms', numbers, count: numbers.length });
  const api = await ctx.api();
  const from = asked?.number ?? (await chooseSender(ctx, api));
  const payloads = list.texts.map((text): TextPayload => ({ ...text, from }));
  showPlan(ctx, list, from);
  await confirmSend(ctx, `Send ${counted(payloads.length, 'text')}?`);
  if (ctx.dryRun) return withholdAll(textSends(api, payloads));
  await withRunJournal(ctx, async (journal) => {
    const detail: TextRunDetail = { input: list.input, dedupeKey: options.dedupeKey };
    const run = journal.create<TextPayload>({
      kind: textRunKind,
      title: `send ${counted(payloads.length, 'text')}`,
      baseUrl: serviceOf(ctx),
      now: ctx.now(),
      detail,
      items: payloads.map((payload) => ({ action: 'send', subject: payload.to, payload })),
    });
    await carryOutTexts(ctx, api, journal, run, options);
  });
  if (asked) await rememberSender(ctx, asked.number);
}

/** `sms send --resume RUN` */
export async function resumeTexts(ctx: Context, word: string, options: SendManyOptions): Promise<void> {
  const policy = await ctx.policy();
  const api = await ctx.api();
  await withRunJournal(ctx, async (journal) => {
    const run = findResumable(ctx, journal, word, { kind: textRunKind, what: 'run of texts' });
    const left = journal.items<TextPayload>(run.id).filter(({ status }) => status === 'planned');
    const numbers = left.map(({ payload }) => payload.to);
    await policy.check({ kind: 'sms', numbers, count: numbers.length });
    ctx.out.preview(`${counted(left.length, 'text')} of the run ${run.id} ${isOrAre(left.length)} left`);
    if (left.length > 0) await confirmSend(ctx, `Send ${counted(left.length, 'text')}?`);
    if (ctx.dryRun)
      return withholdAll(
        textSends(
          api,
          left.map(({ payload }) => payload),
        ),
      );
    await carryOutTexts(ctx, api, journal, run.id, options);
  });
}

/** The request of each text, not sent yet. */
function textSends(api: Client, payloads: readonly TextPayload[]): (() => Promise<unknown>)[] {
  return payloads.map(
    ({ from, to, text }) =>
      () =>
        api.messages.sendSms({ from: { phoneNumber: from }, to: [{ phoneNumber: to }], text }),
  );
}

async function readList(ctx: Context, template: string, { file, map }: SendManyOptions): Promise<TextList> {
  if (file === undefined) throw usageError('--template needs a list', 'give --file LIST, or --file -');
  const name = file === '-' ? 'stdin' : file;
  const columns = readMap(map);
  const country = ctx.settings.defaultCountry.value;
  const list = await readTextList(await readListFile(ctx, file), name, { template, map: columns, country });
  if (list.problems.length === 0) return list;
  throw listError(list.problems.map((problem) => [problem]));
}

function showPlan(ctx: Context, { texts, input, sent, unknown }: TextList, from: string): void {
  const same = input.rows.length - texts.length - sent - unknown;
  const [first] = texts;
  const receivers = new Set(texts.map(({ to }) => to)).size;
  ctx.out.preview(
    [
      `${counted(texts.length, 'text')} from ${from} to ${counted(receivers, 'number')}${same > 0 ? `; ${counted(same, 'row')} with the same again ${isOrAre(same)} left out` : ''}`,
      ...(sent > 0
        ? [`${counted(sent, 'row')} went out before, as the results file says, and ${isOrAre(sent)} left out`]
        : []),
      ...(first ? [`the first, to ${first.to}: ${first.text}`] : []),
    ].join('\n'),
  );
  announceTime(ctx, 'this', { Medium: texts.length });
}

async function carryOutTexts(
  ctx: Context,
  api: Client,
  journal: Journal,
  run: string,
  options: SendManyOptions,
): Promise<void> {
  const { input, dedupeKey } = journal.detail(run) as TextRunDetail;
  const resume = 'ucctl sms send --resume';
  await carryOut<TextPayload>({
    ctx,
    journal,
    run,
    options,
    resume,
    work: textWork(api, dedupeKey),
    maxItems: 1,
    label: 'sending texts',
    again: againHint(dedupeKey, options.results),
    resultsText: (items, raw) => resultsText(input, items, raw),
    report: (items) => ctx.out.list(items.map(toResult), view),
    unknownError: ({ ok, failed, unknown, planned, sent }, cause) =>
      new CommandError(
        'outcome_unknown',
        Exit.outcomeUnknown,
        `it is not known whether ${unknown} of ${counted(ok + failed + unknown + planned + sent, 'text')} ${wasOrWere(unknown)} sent; ${ok} ${wasOrWere(ok)}, ${failed} failed, ${planned + sent} ${isOrAre(planned + sent)} left`,
        { hint: `find out: ucctl outcome resolve --all; then go on: ${resume} ${run}`, cause },
      ),
  });
}

/** How only what failed is sent again: without a key the same command would send everything. */
function againHint(dedupeKey: string | undefined, results: string | undefined): string {
  if (dedupeKey !== undefined)
    return 'the same command with the same --dedupe-key sends only what has not gone out';
  const list = results === undefined ? 'a list of the failed rows only' : `--file ${results}`;
  return `the same command would send all of them again; give it ${list}, and what went out stays out`;
}

function toResult(item: JournalItem<TextPayload>): ResultRow {
  return { to: item.payload.to, status: statusWord(item), message: item.message };
}

function statusWord({ status, code }: Pick<JournalItem<unknown>, 'status' | 'code'>): string {
  // Sent by an earlier run under the same --dedupe-key.
  if (status === 'ok') return code === 'duplicate' ? 'duplicate' : 'sent';
  return status === 'planned' || status === 'sent' ? 'not sent' : status;
}

/** Every row of the list, in its order. */
function resultsText(
  input: TextRunDetail['input'],
  items: readonly JournalItem<TextPayload>[],
  raw: boolean,
): string {
  const byRow = new Map(items.flatMap((item) => item.payload.rows.map((row) => [row, item] as const)));
  const rows = input.rows.map((row, index) => {
    const item = byRow.get(index);
    const earlier = item ? undefined : settledResult(input, row);
    if (earlier) return { row, result: earlier };
    const { code, message, requestId, attempts = 0, time } = item ?? {};
    const isFirst = item === undefined || item.payload.rows[0] === index;
    const status = isFirst ? statusWord(item ?? { status: 'planned', code: undefined }) : 'duplicate';
    return { row, result: { status, action: 'send', code, message, requestId, attempts, time } };
  });
  return resultsCsv(input, rows, { raw });
}
