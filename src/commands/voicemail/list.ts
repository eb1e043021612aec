import { extensionIdOf } from '../../features/directory/index.ts';
import { listMailbox, mailboxFilter, voicemailView } from '../../features/mailbox/index.ts';
import { knownExtensions } from '../../features/known-values/index.ts';
import { readCorrespondent } from '../../features/outgoing/index.ts';
import { dateFilter, readWindow, withRange } from '../../features/time-window/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { MailboxListOptions } from '../../runtime/mailbox-options.ts';

/** The options of `voicemail list`; every voicemail is inbound. */
export type VoicemailListOptions = Omit<MailboxListOptions, 'direction'>;

export async function listVoicemails(ctx: Context, options: VoicemailListOptions): Promise<void> {
  const { phone, limit, perPage } = options;
  const number = phone === undefined ? undefined : await readCorrespondent(ctx, '--phone', phone);
  const window = readWindow(options, ctx);
  const filter = {
    ...dateFilter(window),
    messageType: ['VoiceMail'],
    ...mailboxFilter(options, number),
  };
  const api = await ctx.api();
  const mailbox = await extensionIdOf(api, options.extension, ctx.signal);
  const voicemails = api.messages.list(mailbox, filter, { limit, perPage, signal: ctx.signal });
  await listMailbox(ctx, voicemails, {
    api,
    extension: options.extension,
    view: withRange(voicemailView, window),
    known: () => knownExtensions(ctx),
  });
}
