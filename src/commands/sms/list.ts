import { extensionIdOf } from '../../features/directory/index.ts';
import { DeliveryErrors, listMailbox, mailboxFilter, textView } from '../../features/mailbox/index.ts';
import { knownExtensions } from '../../features/known-values/index.ts';
import { dateFilter, readWindow, withRange } from '../../features/time-window/index.ts';
import { readCorrespondent } from '../../features/outgoing/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { MailboxListOptions } from '../../runtime/mailbox-options.ts';

export async function listSms(ctx: Context, options: MailboxListOptions): Promise<void> {
  const { phone, limit, perPage } = options;
  const number = phone === undefined ? undefined : await readCorrespondent(ctx, '--phone', phone);
  const window = readWindow(options, ctx);
  const filter = {
    ...dateFilter(window),
    messageType: ['SMS'],
    ...mailboxFilter(options, number),
  };
  const api = await ctx.api();
  const mailbox = await extensionIdOf(api, options.extension, ctx.signal);
  const errors = new DeliveryErrors();
  const texts = api.messages.list(mailbox, filter, { limit, perPage, signal: ctx.signal });
  await listMailbox(ctx, errors.of(texts), {
    api,
    extension: options.extension,
    view: withRange(textView, window),
    known: () => knownExtensions(ctx),
  });
  for (const line of errors.lines) ctx.out.note(line);
}
