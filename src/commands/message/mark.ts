import type { MessageOutcome } from '../../client/index.ts';
import { deletedError, deletedView, toChanged, type ChangedMessage } from '../../features/mailbox/index.ts';
import type { Context } from '../../runtime/context.ts';
import { checkIds } from './ids.ts';

export interface MessageIdsOptions {
  readonly ids: readonly string[];
}

/** `message read ID...` */
export function markRead(ctx: Context, options: MessageIdsOptions): Promise<void> {
  return mark(ctx, options, 'Read');
}

/** `message unread ID...` */
export function markUnread(ctx: Context, options: MessageIdsOptions): Promise<void> {
  return mark(ctx, options, 'Unread');
}

async function mark(ctx: Context, { ids }: MessageIdsOptions, readStatus: 'Read' | 'Unread'): Promise<void> {
  checkIds(ids);
  const api = await ctx.api();
  await report(ctx, api.messages.update(ids, { readStatus }), readStatus.toLowerCase());
}

/** Shows what became of each, and ends as the worst of them. */
export async function report(
  ctx: Context,
  outcomes: AsyncIterable<MessageOutcome>,
  done: string,
): Promise<void> {
  const rows: ChangedMessage[] = [];
  for await (const outcome of outcomes) rows.push(toChanged(outcome, done));
  await ctx.out.list(rows, deletedView);
  const failure = deletedError(rows);
  if (failure) throw failure;
}
