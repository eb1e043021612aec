import { extensionIdOf } from '../../features/directory/index.ts';
import { faxView, listMailbox } from '../../features/mailbox/index.ts';
import { knownExtensions } from '../../features/known-values/index.ts';
import { readCorrespondent } from '../../features/outgoing/index.ts';
import { dateFilter, readWindow } from '../../features/time-window/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { ListOptions } from '../../runtime/mailbox-options.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';

export interface FaxListOptions extends WindowOptions, ListOptions {
  readonly phone?: string;
  readonly direction: readonly ('Inbound' | 'Outbound')[];
  readonly unread?: boolean;
  readonly extension: string;
}

export async function listFaxes(ctx: Context, options: FaxListOptions): Promise<void> {
  const { phone, direction, unread, limit, perPage } = options;
  const number = phone === undefined ? undefined : await readCorrespondent(ctx, '--phone', phone);
  const filter = {
    ...dateFilter(readWindow(options, ctx.now())),
    messageType: ['Fax'],
    ...(number !== undefined && { phoneNumber: number }),
    ...(direction.length > 0 && { direction }),
    ...(unread && { readStatus: ['Unread'] }),
  };
  const api = await ctx.api();
  const mailbox = await extensionIdOf(api, options.extension, ctx.signal);
  const faxes = api.messages.list(mailbox, filter, { limit, perPage, signal: ctx.signal });
  await listMailbox(ctx, faxes, {
    api,
    extension: options.extension,
    view: faxView,
    known: () => knownExtensions(ctx),
  });
}
