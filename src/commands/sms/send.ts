import type { Client } from '../../client/index.ts';
import type { Message, SmsRequest } from '../../contract/message.ts';
import { countUtf16Units } from '../../platform/utf16.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../runtime/errors.ts';
import { messageView } from './message-view.ts';
import { chooseSender } from './sender.ts';
import { checkNumber, checkText, readText } from './text.ts';

export interface SmsSendOptions {
  readonly to: string;
  readonly from?: string;
  readonly text?: string;
  readonly file?: string;
  readonly dedupeKey?: string;
}

/** `sms send`: everything is checked before the question, and asked before anything is spent. */
export async function sendSms(ctx: Context, options: SmsSendOptions): Promise<void> {
  checkNumber('--to', options.to);
  if (options.from !== undefined) checkNumber('--from', options.from);
  const text = checkText(await readText(ctx, options));
  const api = await ctx.api();
  const from = options.from ?? (await chooseSender(api, ctx.signal));
  const sms = { from: { phoneNumber: from }, to: [{ phoneNumber: options.to }], text };
  ctx.out.show(`from ${from} to ${options.to}, ${countUtf16Units(text)} units:\n${text}`);
  await confirm(ctx);
  ctx.signal.throwIfAborted();
  await ctx.out.record(await post(api, sms, options.dedupeKey), messageView);
}

async function confirm(ctx: Context): Promise<void> {
  if (ctx.dryRun || (await ctx.prompt.confirm('Send this text?'))) return;
  throw new CommandError('declined', Exit.refused, 'not confirmed; nothing was sent');
}

async function post(api: Client, sms: SmsRequest, dedupeKey: string | undefined): Promise<Message> {
  try {
    // Without the run's signal: Ctrl-C lets a text under way finish, else nobody would know whether it went out.
    return await api.messages.sendSms(sms, { dedupeKey });
  } catch (error) {
    // By name: commands know the client's types only, so that it is not loaded before it is used.
    if (!(error instanceof Error && error.name === 'OutcomeUnknownError')) throw error;
    const [receiver] = sms.to;
    throw new CommandError(
      'outcome_unknown',
      Exit.outcomeUnknown,
      `no answer came: the text to ${receiver?.phoneNumber ?? 'the receiver'} may have been sent or not`,
      {
        hint: 'find out before sending again: ucctl outcome resolve --all',
        cause: error,
      },
    );
  }
}
