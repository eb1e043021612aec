import type { FaxDocument } from '../../client/index.ts';
import { smsTextUnits } from '../../contract/limits.ts';
import { messageView, showFinalStatus, showSent } from '../../features/mailbox/index.ts';
import {
  checkText,
  confirmRequest,
  openAttachments,
  outcomeUnknown,
  readNumber,
  readText,
  searchOf,
  sizeOfText,
  type UnderstoodNumber,
} from '../../features/outgoing/index.ts';
import { counted } from '../../platform/counted.ts';
import { givenListOptions, type BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { rejectGiven } from '../../runtime/given-options.ts';
import { usageError } from '../../errors/command.ts';
import { waitLimit } from '../../runtime/wait-limit.ts';
import { readReceivers } from './receivers.ts';
import { chooseSender, rememberSender } from './sender.ts';
import { warnOfRepeatedText } from './warn-repeated.ts';

/** Seconds within which delivery reports usually arrive. */
const usualWaitSeconds = 60;

export interface SmsSendOptions extends Omit<BulkOptions, 'maxItems' | 'file'> {
  readonly to: readonly string[];
  readonly group?: boolean;
  readonly attach: readonly string[];
  readonly template?: string;
  readonly from?: string;
  readonly text?: string;
  readonly file?: string;
  readonly wait?: boolean;
  readonly waitTimeout?: number;
  readonly dedupeKey?: string;
  readonly newRun?: boolean;
  readonly highVolume?: boolean;
  readonly forceNumber?: boolean;
}

/** `sms send`: checks everything, asks for confirmation, sends. */
export async function sendSms(ctx: Context, options: SmsSendOptions): Promise<void> {
  if (options.resume !== undefined || options.template !== undefined) {
    // The list module is loaded on demand, because a single text does not need it.
    const { resumeTexts, sendMany } = await import('./send-many.ts');
    if (options.resume !== undefined) return resumeTexts(ctx, options.resume, options);
    return sendMany(ctx, options.template ?? '', options);
  }
  rejectGiven(
    {
      ...givenListOptions(options),
      '--results': options.results !== undefined,
      '--max-errors': options.maxErrors !== undefined,
      '--fail-fast': options.failFast === true,
      '--high-volume': options.highVolume === true,
      '--new-run': options.newRun === true,
    },
    (option) => usageError(`${option} requires a list`, 'use --file LIST with --template TEXT'),
  );
  const to = await readReceivers(ctx, options);
  const asked = options.from === undefined ? undefined : await readNumber(ctx, '--from', options.from);
  const files = options.attach.length === 0 ? [] : await openAttachments(ctx, options.attach);
  const text = await textOf(ctx, options);
  const numbers = to.map(({ number }) => number);
  await (await ctx.policy()).check({ kind: 'sms', numbers, count: numbers.length });
  const api = await ctx.api();
  const from = asked?.number ?? (await chooseSender(ctx, api));
  const sms = { from: { phoneNumber: from }, to: numbers.map((phoneNumber) => ({ phoneNumber })), text };
  ctx.out.preview(previewOf(from, to, text, files));
  // The journal does not contain the files, and a dedupe key prevents the repetition.
  if (files.length === 0 && options.dedupeKey === undefined)
    await warnOfRepeatedText(ctx, { from, to: numbers, text });
  const [, second] = numbers;
  await confirmRequest(
    ctx,
    second === undefined ? 'Send this text?' : `Send this text to ${counted(numbers.length, 'number')}?`,
  );
  const dedupe = { dedupeKey: options.dedupeKey };
  const sent = await outcomeUnknown(
    ctx,
    `the service may have sent the text to ${numbers.join(', ')}`,
    searchOf,
    () =>
      files.length === 0
        ? api.messages.sendSms(sms, dedupe)
        : api.messages.sendMms(sms, files, { ...dedupe, ...uploadTimeout(ctx) }),
  );
  if (asked) await rememberSender(ctx, asked.number);
  if (!options.wait) return showSent(ctx, sent, { type: 'SMS', view: messageView });
  await showFinalStatus(ctx, sent, {
    api,
    type: 'SMS',
    timeoutSeconds: waitLimit(ctx.settings, options.waitTimeout, usualWaitSeconds),
    view: messageView,
    label: 'Waiting for the delivery report',
  });
}

/** Reads the text, which may be absent if files are sent. */
async function textOf(ctx: Context, options: SmsSendOptions): Promise<string> {
  const { attach, text, file } = options;
  if (attach.length > 0 && text === undefined && file === undefined) return '';
  return checkText(await readText(ctx, { text, file }), smsTextUnits);
}

/** Returns the summary of the text, shown before the confirmation. */
function previewOf(
  from: string,
  to: readonly UnderstoodNumber[],
  text: string,
  files: readonly FaxDocument[],
): string {
  const receivers = to.map(({ shown }) => shown).join(', ');
  const group = to.length > 1 ? ` (group of ${to.length})` : '';
  return [
    `from ${from} to ${receivers}${group}, ${sizeOfText(text, smsTextUnits)}:`,
    ...(text === '' ? [] : [text]),
    ...files.map(({ fileName, size }) => `  ${fileName}, ${counted(size, 'byte')}`),
  ].join('\n');
}

/** A text with files has a longer default timeout than other requests, because its body can be large. */
function uploadTimeout({ settings }: Context): { readonly timeoutMilliseconds?: number } {
  return settings.timeoutSeconds.origin === 'default' ? { timeoutMilliseconds: 120_000 } : {};
}
