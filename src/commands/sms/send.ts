import { smsTextUnits } from '../../contract/limits.ts';
import { messageView, showEnd } from '../../features/mailbox/index.ts';
import {
  checkText,
  confirmSend,
  outcomeUnknown,
  readNumber,
  readText,
  sizeOfText,
} from '../../features/outgoing/index.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';
import { waitLimit } from '../../runtime/wait-limit.ts';
import { chooseSender, rememberSender } from './sender.ts';

/** Time in which a delivery report usually comes. */
const usualWaitSeconds = 60;

export interface SmsSendOptions extends Omit<BulkOptions, 'maxItems' | 'file'> {
  readonly to?: string;
  readonly template?: string;
  readonly from?: string;
  readonly text?: string;
  readonly file?: string;
  readonly wait?: boolean;
  readonly waitTimeout?: number;
  readonly dedupeKey?: string;
  readonly newRun?: boolean;
}

/** `sms send`: everything is checked before the question, and asked before anything is spent. */
export async function sendSms(ctx: Context, options: SmsSendOptions): Promise<void> {
  if (options.resume !== undefined || options.template !== undefined) {
    // Lazy: a single text should not pay for lists.
    const { resumeTexts, sendMany } = await import('./send-many.ts');
    if (options.resume !== undefined) return resumeTexts(ctx, options.resume, options);
    return sendMany(ctx, options.template ?? '', options);
  }
  if (options.newRun) throw usageError('--new-run is for lists: --file LIST with --template TEXT');
  if (options.to === undefined)
    throw usageError('--to NUMBER is missing', 'or --file LIST with --template TEXT for many');
  const to = await readNumber(ctx, '--to', options.to);
  const asked = options.from === undefined ? undefined : await readNumber(ctx, '--from', options.from);
  const text = checkText(await readText(ctx, options), smsTextUnits);
  await (await ctx.policy()).check({ kind: 'sms', numbers: [to.number] });
  const api = await ctx.api();
  const from = asked?.number ?? (await chooseSender(ctx, api));
  const sms = { from: { phoneNumber: from }, to: [{ phoneNumber: to.number }], text };
  ctx.out.preview(`from ${from} to ${to.shown}, ${sizeOfText(text, smsTextUnits)}:\n${text}`);
  await confirmSend(ctx, 'Send this text?');
  const sent = await outcomeUnknown(
    ctx,
    `the text to ${to.number} may have been sent`,
    ucctl('outcome resolve --all'),
    () => api.messages.sendSms(sms, { dedupeKey: options.dedupeKey }),
  );
  if (asked) await rememberSender(ctx, asked.number);
  if (!options.wait) return ctx.out.record(sent, messageView);
  await showEnd(ctx, sent, {
    api,
    type: 'SMS',
    timeoutSeconds: waitLimit(ctx.settings, options.waitTimeout, usualWaitSeconds),
    view: messageView,
    label: 'waiting for the delivery report',
  });
}
