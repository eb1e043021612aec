import type { Message } from '../../contract/message.ts';
import { messageView } from '../../features/mailbox/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, notFoundError } from '../../runtime/errors.ts';
import { checkIds } from './ids.ts';

export interface MessageShowOptions {
  readonly ids: readonly string[];
  readonly availability: readonly ('Alive' | 'Deleted' | 'Purged')[];
}

/** `message show ID...` */
export async function showMessages(ctx: Context, { ids, availability }: MessageShowOptions): Promise<void> {
  checkIds(ids);
  const api = await ctx.api();
  const found: Message[] = [];
  const missing: string[] = [];
  const asked = availability.length > 0 ? availability : undefined;
  for await (const { id, message } of api.messages.getMany(ids, asked, { signal: ctx.signal })) {
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
