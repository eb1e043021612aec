import { dateFilter, faxView } from '../../features/mailbox/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';

export interface FaxListOptions extends WindowOptions {
  readonly direction?: 'Inbound' | 'Outbound';
  readonly unread?: boolean;
  readonly limit?: number;
}

/** `fax list` */
export async function listFaxes(ctx: Context, options: FaxListOptions): Promise<void> {
  const { direction, unread, limit } = options;
  const filter = {
    ...dateFilter(ctx, options),
    messageType: ['Fax'],
    ...(direction && { direction: [direction] }),
    ...(unread && { readStatus: ['Unread'] }),
  };
  const api = await ctx.api();
  await ctx.out.list(api.messages.list('~', filter, { limit, signal: ctx.signal }), faxView);
}
