import type { Message } from '../../contract/message.ts';
import { extensionIdOf } from '../../features/directory/index.ts';
import { messageView } from '../../features/mailbox/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, notFoundError } from '../../runtime/errors.ts';
import { checkIds } from './ids.ts';

export interface MessageShowOptions {
  readonly ids: readonly string[];
  readonly availability: readonly ('Alive' | 'Deleted' | 'Purged')[];
  readonly extension: string;
}

/** `message show ID...` */
export async function showMessages(ctx: Context, options: MessageShowOptions): Promise<void> {
  const { ids, availability, extension } = options;
  checkIds(ids);
  const api = await ctx.api();
  const extensionId = await extensionIdOf(api, extension, ctx.signal);
  const found: Message[] = [];
  const missing: string[] = [];
  const asked = availability.length > 0 ? availability : undefined;
  const request = { signal: ctx.signal, extensionId };
  for await (const { id, message } of api.messages.getMany(ids, asked, request)) {
    if (message) found.push(message);
    else missing.push(id);
  }
  const [only] = found;
  if (only && ids.length === 1) return ctx.out.record(only, messageView);
  if (found.length > 0) await ctx.out.list(found, messageView);
  if (missing.length === 0) return;
  const hint =
    availability.length > 0
      ? 'a purged message is gone for good after some days'
      : 'deleted messages are hidden: add --availability Alive,Deleted,Purged';
  const text = `there is no message ${missing.join(', ')}`;
  throw found.length > 0
    ? new CommandError('partial', Exit.partial, text, { hint })
    : notFoundError(text, hint);
}
