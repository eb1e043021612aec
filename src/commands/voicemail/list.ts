import { extensionIdOf } from '../../features/directory/index.ts';
import { listMailbox, voicemailView } from '../../features/mailbox/index.ts';
import { knownExtensions } from '../../features/known-values/index.ts';
import { readCorrespondent } from '../../features/outgoing/index.ts';
import { dateFilter, readWindow } from '../../features/time-window/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { ListOptions } from '../../runtime/mailbox-options.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';

export interface VoicemailListOptions extends WindowOptions, ListOptions {
  readonly phone?: string;
  readonly unread?: boolean;
  readonly extension: string;
}

export async function listVoicemails(ctx: Context, options: VoicemailListOptions): Promise<void> {
  const { phone, unread, limit, perPage } = options;
  const number = phone === undefined ? undefined : await readCorrespondent(ctx, '--phone', phone);
  const filter = {
    ...dateFilter(readWindow(options, ctx.now())),
    messageType: ['VoiceMail'],
    ...(number !== undefined && { phoneNumber: number }),
    ...(unread && { readStatus: ['Unread'] }),
  };
  const api = await ctx.api();
  const mailbox = await extensionIdOf(api, options.extension, ctx.signal);
  const voicemails = api.messages.list(mailbox, filter, { limit, perPage, signal: ctx.signal });
  await listMailbox(ctx, voicemails, {
    api,
    extension: options.extension,
    view: voicemailView,
    known: () => knownExtensions(ctx),
  });
}
