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
import { ownExtension, receivers } from './receivers.ts';

export interface PagerSendOptions {
  readonly to: readonly string[];
  readonly text?: string;
  readonly file?: string;
  readonly dedupeKey?: string;
}

/** `pager send` */
export async function sendPager(ctx: Context, options: PagerSendOptions): Promise<void> {
  const text = checkText(await readText(ctx, options), PAGER_TEXT_UNITS);
  await (await ctx.policy()).check({ kind: 'pager', numbers: [], count: new Set(options.to).size });
  const api = await ctx.api();
  const to = await receivers(ctx, api, options.to);
  const from = await ownExtension(ctx, api);
  const numbers = to.map(({ extensionNumber }) => extensionNumber);
  ctx.out.preview(
    `from ${from} to ${to.map(({ shown }) => shown).join(', ')} (${to.length}), ${sizeOfText(text, PAGER_TEXT_UNITS)}:\n${text}`,
  );
  await confirmSend(ctx, 'Send this message?');
  const page = {
    from: { extensionNumber: from },
    to: numbers.map((extensionNumber) => ({ extensionNumber })),
    text,
  };
  const sent = await outcomeUnknown(
    ctx,
    `the message to ${numbers.join(', ')} may have been sent`,
    'ucctl outcome resolve --all',
    () => api.messages.sendPager(page, { dedupeKey: options.dedupeKey }),
  );
  await ctx.out.record(sent, messageView);
}
