import { extensionIdOf } from '../../features/directory/index.ts';
import { conversationView } from '../../features/mailbox/index.ts';
import { dateFilter, readSince } from '../../features/time-window/index.ts';
import { readCorrespondent } from '../../features/outgoing/index.ts';
import type { Message } from '../../contract/message.ts';
import type { Context } from '../../runtime/context.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';

export interface SmsThreadOptions {
  readonly number: string;
  readonly since: string;
  readonly limit?: number;
  readonly extension: string;
}

/** Returns the hint for an extension number: the command that lists messages between extensions. */
function pagesHint(): Hint {
  return nextStep`extensions exchange pager messages instead of texts; to list pager messages: ${ucctl('message list --type Pager')}`;
}

export async function showSmsThread(ctx: Context, options: SmsThreadOptions): Promise<void> {
  const { number, since, limit } = options;
  const phoneNumber = await readCorrespondent(ctx, 'NUMBER', number, { forExtension: pagesHint });
  const filter = { ...dateFilter(readSince(ctx, since)), messageType: ['SMS'], phoneNumber };
  const api = await ctx.api();
  const mailbox = await extensionIdOf(api, options.extension, ctx.signal);
  const texts: Message[] = [];
  for await (const text of api.messages.list(mailbox, filter, { limit, signal: ctx.signal }))
    texts.push(text);
  await ctx.out.list(texts.toReversed(), conversationView);
}
