import { pagerTextUnits } from '../../contract/limits.ts';
import { messageView, showSent } from '../../features/mailbox/index.ts';
import {
  checkText,
  confirmRequest,
  outcomeUnknown,
  readText,
  searchOf,
  sizeOfText,
} from '../../features/outgoing/index.ts';
import type { Context } from '../../runtime/context.ts';
import { ownExtension, receivers } from './receivers.ts';

export interface PagerSendOptions {
  readonly to: readonly string[];
  readonly text?: string;
  readonly file?: string;
  readonly dedupeKey?: string;
}

/**
 * `pager send`; with `replyOn`, a reply to the message `replyOn`, which goes to everyone in the thread if there are no
 * recipients.
 */
export async function sendPager(ctx: Context, options: PagerSendOptions, replyOn?: string): Promise<void> {
  const text = checkText(await readText(ctx, options), pagerTextUnits);
  const count = Math.max(1, new Set(options.to).size);
  await (await ctx.policy()).check({ kind: 'pager', numbers: [], count });
  const api = await ctx.api();
  const to = await receivers(ctx, api, options.to);
  const from = await ownExtension(ctx, api);
  const thread = 'everyone in the thread';
  const [what, about] = replyOn === undefined ? ['message', ''] : ['reply', `, in reply to ${replyOn}`];
  const shown = to.length === 0 ? thread : `${to.map((one) => one.shown).join(', ')} (${to.length})`;
  ctx.out.preview(`from ${from} to ${shown}${about}, ${sizeOfText(text, pagerTextUnits)}:\n${text}`);
  await confirmRequest(ctx, `Send this ${what}?`);
  const numbers = to.map(({ extensionNumber }) => extensionNumber);
  const page = {
    from: { extensionNumber: from },
    ...(to.length > 0 && { to: numbers.map((extensionNumber) => ({ extensionNumber })) }),
    text,
    ...(replyOn !== undefined && { replyOn }),
  };
  const sent = await outcomeUnknown(
    ctx,
    `the service may have sent the ${what} to ${numbers.join(', ') || thread}`,
    searchOf,
    () => api.messages.sendPager(page, { dedupeKey: options.dedupeKey }),
  );
  await showSent(ctx, sent, { type: 'Pager', view: messageView });
}
