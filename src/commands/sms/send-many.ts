import type { Client } from '../../client/index.ts';
import {
  announceTime,
  listError,
  readListFile,
  readMap,
  resumeRun,
  runOrigin,
  serviceOf,
  withholdAll,
  withRunJournal,
} from '../../features/bulk/index.ts';
import {
  confirmSend,
  readNumber,
  readTextList,
  textRunKind,
  type TextList,
  type TextPayload,
  type TextRunDetail,
} from '../../features/outgoing/index.ts';
import { counted, isOrAre } from '../../platform/counted.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { claimTexts, requireNoOpenRun } from './open-run.ts';
import { chooseSender, rememberSender } from './sender.ts';
import { sendAndReport } from './text-report.ts';
import { resultRows, type ResultRow } from './text.rows.ts';

export interface SendManyOptions extends Omit<BulkOptions, 'maxItems'> {
  readonly template?: string;
  readonly from?: string;
  readonly dedupeKey?: string;
  readonly newRun?: boolean;
}

/** `sms send --file LIST --template TEXT`: a text for each row, as a run that can be resumed and never sends one twice. */
export async function sendMany(ctx: Context, template: string, options: SendManyOptions): Promise<void> {
  const list = await readList(ctx, template, options);
  if (list.unknown > 0)
    ctx.out.warn(
      `${counted(list.unknown, 'row')} ${isOrAre(list.unknown)} skipped: the results file does not know whether the text was sent; find out: ucctl outcome resolve --all`,
    );
  if (list.texts.length === 0) {
    ctx.out.note('nothing left to send: by the results file every row was processed');
    return ctx.out.list<ResultRow>([], resultRows.list);
  }
  const { dedupeKey, newRun = false } = options;
  const planned = { texts: list.texts, dedupeKey, newRun };
  const since = await requireNoOpenRun(ctx, planned);
  const asked = options.from === undefined ? undefined : await readNumber(ctx, '--from', options.from);
  const numbers = list.texts.map(({ to }) => to);
  await (await ctx.policy()).check({ kind: 'sms', numbers, count: numbers.length });
  const api = await ctx.api();
  const from = asked?.number ?? (await chooseSender(ctx, api));
  const payloads = list.texts.map((text): TextPayload => ({ ...text, from }));
  showPlan(ctx, list, from);
  await confirmSend(ctx, `Send ${summaryOf(list, from)}?`);
  if (ctx.dryRun) return withholdAll(textSends(api, payloads));
  await withRunJournal(ctx, async (journal) => {
    const abandoned = await claimTexts(ctx, journal, planned, since);
    const detail: TextRunDetail = { input: list.input, dedupeKey, ...runOrigin(ctx, options) };
    const run = journal.create<TextPayload>({
      kind: textRunKind,
      title: `send ${counted(payloads.length, 'text')}`,
      baseUrl: serviceOf(ctx),
      now: ctx.now(),
      detail,
      items: payloads.map((payload) => ({ action: 'send', subject: payload.to, payload })),
    });
    for (const id of abandoned) journal.finish(id, 'abandoned');
    if (abandoned.length > 0) ctx.out.note(`abandoned: ${abandoned.join(', ')}`);
    await sendAndReport(ctx, api, journal, run, options);
  });
  if (asked) await rememberSender(ctx, asked.number);
}

/** `sms send --resume RUN` */
export async function resumeTexts(ctx: Context, word: string, options: SendManyOptions): Promise<void> {
  const policy = await ctx.policy();
  const api = await ctx.api();
  await resumeRun<TextPayload>(ctx, word, {
    kind: textRunKind,
    what: 'run of texts',
    unit: 'text',
    // What was sent and has no answer is never sent again.
    isLeft: ({ status }) => status === 'planned',
    async check(left) {
      const numbers = left.map(({ payload }) => payload.to);
      await policy.check({ kind: 'sms', numbers, count: numbers.length });
    },
    sends: (left) =>
      textSends(
        api,
        left.map(({ payload }) => payload),
      ),
    execute: (journal, run) => sendAndReport(ctx, api, journal, run, options),
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
  throw listError(list.problems);
}

/** `3 texts from +16505550110 to 2 numbers` */
function summaryOf({ texts }: TextList, from: string): string {
  const receivers = new Set(texts.map(({ to }) => to)).size;
  return `${counted(texts.length, 'text')} from ${from} to ${counted(receivers, 'number')}`;
}

function showPlan(ctx: Context, list: TextList, from: string): void {
  const { texts, input, sent, unknown } = list;
  const same = input.rows.length - texts.length - sent - unknown;
  const [first] = texts;
  const repeated = same > 0 ? `; ${counted(same, 'repeated row')} ${isOrAre(same)} skipped` : '';
  ctx.out.preview(
    [
      `${summaryOf(list, from)}${repeated}`,
      ...(sent > 0
        ? [`${counted(sent, 'row')} ${isOrAre(sent)} skipped: by the results file the text was sent`]
        : []),
      ...(first ? [`the first, to ${first.to}: ${first.text}`] : []),
    ].join('\n'),
  );
  announceTime(ctx, 'this', { Medium: texts.length });
}
