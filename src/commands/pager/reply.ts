import { PAGER_TEXT_UNITS } from '../../contract/limits.ts';
import { messageView } from '../../features/mailbox/index.ts';
import {
  checkText,
  confirmSend,
  outcomeUnknown,
  readText,
  sizeOfText,
} from '../../features/outgoing/index.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../runtime/errors.ts';
import { ownExtension, receivers } from './receivers.ts';

export interface PagerReplyOptions {
  readonly message: string;
  readonly text?: string;
  readonly file?: string;
  readonly dedupeKey?: string;
  readonly to: readonly string[];
}

/** `pager reply ID` */
export async function replyToPager(ctx: Context, options: PagerReplyOptions): Promise<void> {
  if (!/^\d+$/.test(options.message)) throw usageError(`"${options.message}" is no id of a message`);
  const text = checkText(await readText(ctx, options), PAGER_TEXT_UNITS);
  await (await ctx.policy()).check({ kind: 'pager', numbers: [], count: Math.max(1, options.to.length) });
  const api = await ctx.api();
  const to = await receivers(ctx, api, options.to);
  const from = await ownExtension(ctx, api);
  const whom = to.length > 0 ? to.map(({ shown }) => shown).join(', ') : 'everyone in the thread';
  ctx.out.preview(
    `from ${from} to ${whom}, in reply to ${options.message}, ${sizeOfText(text, PAGER_TEXT_UNITS)}:\n${text}`,
  );
  await confirmSend(ctx, 'Send this reply?');
  const page = {
    from: { extensionNumber: from },
    ...(to.length > 0 && { to: to.map(({ extensionNumber }) => ({ extensionNumber })) }),
    text,
    replyOn: options.message,
  };
  const sent = await outcomeUnknown(ctx, 'the reply may have been sent', 'ucctl outcome resolve --all', () =>
    api.messages.sendPager(page, { dedupeKey: options.dedupeKey }),
  );
  await ctx.out.record(sent, messageView);
}
