import { extensionIdOf } from '../../features/directory/index.ts';
import { faxView, listMailbox, mailboxFilter } from '../../features/mailbox/index.ts';
import { knownExtensions } from '../../features/known-values/index.ts';
import { readCorrespondent } from '../../features/outgoing/index.ts';
import { dateFilter, readWindow, withRange } from '../../features/time-window/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { MailboxListOptions } from '../../runtime/mailbox-options.ts';

export async function listFaxes(ctx: Context, options: MailboxListOptions): Promise<void> {
  const { phone, limit, perPage } = options;
  const number = phone === undefined ? undefined : await readCorrespondent(ctx, '--phone', phone);
  const window = readWindow(options, ctx);
  const filter = {
    ...dateFilter(window),
    messageType: ['Fax'],
    ...mailboxFilter(options, number),
  };
  const api = await ctx.api();
  const mailbox = await extensionIdOf(api, options.extension, ctx.signal);
  const faxes = api.messages.list(mailbox, filter, { limit, perPage, signal: ctx.signal });
  await listMailbox(ctx, faxes, {
    api,
    extension: options.extension,
    view: withRange(faxView, window),
    known: () => knownExtensions(ctx),
  });
}
