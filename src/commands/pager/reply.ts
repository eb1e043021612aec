import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { sendPager, type PagerSendOptions } from './send.ts';

export interface PagerReplyOptions extends PagerSendOptions {
  readonly message: string;
}

export async function replyToPager(ctx: Context, options: PagerReplyOptions): Promise<void> {
  if (!/^\d+$/.test(options.message))
    throw usageError(
      `"${options.message}" is not a valid message ID`,
      nextStep`to list pager messages: ${ucctl('message list --type Pager')}`,
    );
  await sendPager(ctx, options, options.message);
}
