import { extensionIdOf } from '../../features/directory/index.ts';
import { conversationView } from '../../features/mailbox/index.ts';
import { dateFilter, readSince } from '../../features/time-window/index.ts';
import type { Message } from '../../contract/message.ts';
import type { Context } from '../../runtime/context.ts';
import { notFoundError } from '../../errors/command.ts';
import { checkIds } from './ids.ts';

export interface MessageThreadOptions {
  readonly id: string;
  readonly since: string;
  readonly extension: string;
}

export async function showThread(ctx: Context, options: MessageThreadOptions): Promise<void> {
  const { id, since, extension } = options;
  checkIds([id]);
  const api = await ctx.api();
  const mailbox = await extensionIdOf(api, extension, ctx.signal);
  const { conversationId, type } = await api.messages.get(id, mailbox, { signal: ctx.signal });
  if (conversationId === undefined) {
    throw notFoundError(
      `message ${id}${type === undefined ? '' : ` (${type})`} has no conversation`,
      'specify the ID of a text or a pager message: only these messages belong to conversations',
    );
  }
  const filter = {
    ...dateFilter(readSince(ctx, since)),
    conversationId: String(conversationId),
  };
  const all: Message[] = [];
  for await (const message of api.messages.list(mailbox, filter, { signal: ctx.signal })) all.push(message);
  await ctx.out.list(all.toReversed(), conversationView);
}
