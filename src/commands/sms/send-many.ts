import type { Client } from '../../client/index.ts';
import { smsBatchTexts } from '../../contract/limits.ts';
import {
  announceTime,
  inFileOrder,
  maySkip,
  maySkipRows,
  problemLines,
  readListFile,
  readMap,
  rejectList,
  resumeRun,
  runOrigin,
  serviceOf,
  sendDryRun,
  showNoRequests,
  skippedText,
  withRunJournal,
  writeErrorsFile,
} from '../../features/bulk/index.ts';
import {
  batchOf,
  confirmRequest,
  keyOf,
  readNumber,
  readTextList,
  sendText,
  textItem,
  textRunKind,
  type TextList,
  type TextPayload,
  type TextRunDetail,
} from '../../features/outgoing/index.ts';
import { counted, isOrAre } from '../../platform/counted.ts';
import { withLineFeeds } from '../../platform/line-feeds.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { type KeyUsedError, usageError } from '../../errors/command.ts';
import { claimTexts, requireNoOpenRun, warnOfSentTexts } from './open-run.ts';
import { chooseBatchSender, chooseSender, rememberSender, requireBatches } from './sender.ts';
import { requireSameSender } from './same-sender.ts';
import { sendAndReport } from './text-report.ts';
import { resultRows, type ResultRow } from './text.rows.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

export interface SendManyOptions extends Omit<BulkOptions, 'maxItems'> {
  readonly template?: string;
  readonly from?: string;
  readonly dedupeKey?: string;
  readonly newRun?: boolean;
  readonly highVolume?: boolean;
  readonly forceNumber?: boolean;
}

/**
 * `sms send --file LIST --template TEXT`: sends a text for each row, as a run that can be resumed and that never sends
 * a text twice.
 */
export async function sendMany(ctx: Context, template: string, options: SendManyOptions): Promise<void> {
  const { highVolume = false } = options;
  if (template === '-')
    throw usageError('--template cannot read standard input', 'specify the text: --template TEXT');
  if (highVolume) requireBatches(ctx);
  const list = await readList(ctx, template, options);
  if (list.unknown > 0)
    ctx.out.warn(
      nextStep`${counted(list.unknown, 'row')} ${isOrAre(list.unknown)} skipped: the outcome in the results file is unknown. To look up the outcome: ${ucctl('outcome resolve --all')}`,
    );
  if (list.texts.length === 0) {
    ctx.out.note('Nothing to send: the results file contains no unprocessed rows.');
    return ctx.out.list<ResultRow>([], resultRows.list);
  }
  const { dedupeKey, newRun = false } = options;
  const planned = { texts: list.texts, dedupeKey, newRun };
  const view = await requireNoOpenRun(ctx, planned);
  const asked = options.from === undefined ? undefined : await readNumber(ctx, '--from', options.from);
  const numbers = list.texts.map(({ to }) => to);
  await (await ctx.policy()).check({ kind: 'sms', numbers, count: numbers.length });
  const api = await ctx.api();
  const from = asked?.number ?? (await (highVolume ? chooseBatchSender : chooseSender)(ctx, api));
  const payloads = list.texts.map((text): TextPayload => ({ ...text, from }));
  showPlan(ctx, list, from, highVolume);
  warnOfSentTexts(ctx, { texts: list.texts.length, highVolume }, view);
  await confirmRequest(ctx, `Send ${summaryOf(list, from)}?`);
  if (ctx.dryRun) {
    const sends = sendsOf(api, payloads, { dedupeKey, highVolume, started: ctx.now() });
    await sendDryRun(sends, list.invalid, (used) => noteUsed(ctx, used));
    await showNoRequests(ctx);
    return;
  }
  await withRunJournal(ctx, async (journal) => {
    const abandoned = await claimTexts(ctx, journal, planned, view);
    const detail: TextRunDetail = {
      input: list.input,
      skipped: list.invalid,
      dedupeKey,
      ...(highVolume && { highVolume }),
      sender: await ctx.sender(),
      ...runOrigin(ctx, options),
    };
    const run = journal.create<TextPayload>({
      kind: textRunKind,
      title: `send ${counted(payloads.length, 'text')}`,
      baseUrl: serviceOf(ctx),
      now: ctx.now(),
      detail,
      items: payloads.map(textItem),
      abandons: abandoned,
    });
    if (abandoned.length > 0) ctx.out.note(`abandoned: ${abandoned.join(', ')}`);
    await sendAndReport(ctx, api, journal, run, options);
  });
  if (asked && !highVolume) await rememberSender(ctx, asked.number);
}

export async function resumeTexts(ctx: Context, word: string, options: SendManyOptions): Promise<void> {
  const policy = await ctx.policy();
  const api = await ctx.api();
  await resumeRun<TextPayload>(ctx, word, {
    kind: textRunKind,
    what: 'text run',
    unit: 'text',
    async settle(journal, run) {
      const { settleTexts } = await import('./settle-texts.ts');
      await settleTexts(ctx, api, journal, run);
    },
    // A text whose request was sent and got no reply must not be sent again.
    isLeft: ({ status }) => status === 'planned',
    async check(left, { id, detail }) {
      const from = left[0]?.payload.from;
      if (from !== undefined)
        await requireSameSender(ctx, api, { id, detail: detail as TextRunDetail, from });
      const numbers = left.map(({ payload }) => payload.to);
      await policy.check({ kind: 'sms', numbers, count: numbers.length });
    },
    sends: (left, { detail, started }) =>
      sendsOf(
        api,
        left.map(({ payload }) => payload),
        { ...(detail as TextRunDetail), started },
      ),
    execute: (journal, run) => sendAndReport(ctx, api, journal, run, options),
  });
}

/** Returns a function for each text or batch, which sends the request. */
function sendsOf(
  api: Client,
  payloads: readonly TextPayload[],
  {
    dedupeKey,
    highVolume = false,
    started,
  }: Pick<TextRunDetail, 'dedupeKey' | 'highVolume'> & { readonly started: number },
): (() => Promise<unknown>)[] {
  if (highVolume) {
    const count = Math.ceil(payloads.length / smsBatchTexts);
    const chunks = Array.from({ length: count }, (_, at) =>
      payloads.slice(at * smsBatchTexts, (at + 1) * smsBatchTexts),
    );
    return chunks.map((chunk) => () => api.smsBatches.create(batchOf(chunk)));
  }
  return payloads.map((payload) => () => sendText(api, payload, keyOf(dedupeKey, payload, started)));
}

async function readList(ctx: Context, template: string, options: SendManyOptions): Promise<TextList> {
  const { file, map } = options;
  if (file === undefined)
    throw usageError('--template requires a list', 'use --file LIST, or --file - for standard input');
  const name = file === '-' ? 'stdin' : file;
  const columns = readMap(map);
  const country = ctx.settings.defaultCountry.value;
  const content = await readListFile(ctx, file, options.sheet);
  const list = await readTextList(content, name, {
    template: withLineFeeds(template),
    map: columns,
    country,
    force: options.forceNumber,
  });
  const { problems, templateProblem } = list;
  if (templateProblem !== undefined) {
    const hint = 'fix the template or the columns of the list; nothing was sent';
    throw usageError(templateProblem, hint, problemLines(inFileOrder(problems)));
  }
  const isUsable = maySkipRows(problems, options) && maySkip(list.invalid, list.texts.length, options);
  if (!isUsable) return rejectList(ctx, problems, options);
  await writeErrorsFile(ctx, problems, options);
  if (list.invalid.length > 0) ctx.out.show(ctx.out.style('bad', skippedText(list.invalid)));
  return list;
}

/** Reports the texts that a run would not send, because their dedupe key was used. */
function noteUsed(ctx: Pick<Context, 'out'>, used: readonly KeyUsedError[]): void {
  const sent = used.filter(({ wasSent }) => wasSent).length;
  if (sent > 0)
    ctx.out.note(
      `ucctl would skip ${counted(sent, 'text')}: already sent in the last 24 hours with this --dedupe-key`,
    );
  for (const { message } of used.filter(({ wasSent }) => !wasSent)) ctx.out.warn(message);
}

/** Summarizes a run, such as `3 texts from +16505550110 to 2 numbers`. */
function summaryOf({ texts }: TextList, from: string): string {
  const receivers = new Set(texts.map(({ to }) => to)).size;
  return `${counted(texts.length, 'text')} from ${from} to ${counted(receivers, 'number')}`;
}

function showPlan(ctx: Context, list: TextList, from: string, highVolume: boolean): void {
  const { texts, input, sent, unknown, invalid } = list;
  const same = input.rows.length - texts.length - sent - unknown - invalid.length;
  const [first] = texts;
  const repeated = same > 0 ? `; ${counted(same, 'repeated row')} ${isOrAre(same)} skipped` : '';
  ctx.out.preview(
    [
      `${summaryOf(list, from)}${repeated}`,
      ...(sent > 0
        ? [`${counted(sent, 'row')} ${isOrAre(sent)} skipped: already sent according to the results file`]
        : []),
      ...(first ? [`first text, to ${first.to}: ${first.text}`] : []),
    ].join('\n'),
  );
  const batches = Math.ceil(texts.length / smsBatchTexts);
  announceTime(ctx, 'this', highVolume ? { Light: batches } : { Medium: texts.length });
}
