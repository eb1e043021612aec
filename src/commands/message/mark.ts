import type { MessageOutcome } from '../../client/index.ts';
import {
  changedRows,
  deletedError,
  toChanged,
  warnOfPurged,
  type ChangedMessage,
  type MessageChange,
} from '../../features/mailbox/index.ts';
import type { Context } from '../../runtime/context.ts';
import { checkIds } from './ids.ts';

export interface MessageIdsOptions {
  readonly ids: readonly string[];
}

export function markRead(ctx: Context, options: MessageIdsOptions): Promise<void> {
  return mark(ctx, options, { readStatus: 'Read' }, 'read');
}

export function markUnread(ctx: Context, options: MessageIdsOptions): Promise<void> {
  return mark(ctx, options, { readStatus: 'Unread' }, 'unread');
}

async function mark(
  ctx: Context,
  { ids }: MessageIdsOptions,
  change: { readonly readStatus: 'Read' | 'Unread' },
  done: ChangedMessage['status'],
): Promise<void> {
  checkIds(ids);
  const api = await ctx.api();
  await report(ctx, api.messages.updateEach(ids, change), change, done);
}

/** Shows the result of each message, and fails with the exit code of the worst result. */
function report(
  ctx: Context,
  outcomes: AsyncIterable<MessageOutcome>,
  change: MessageChange,
  done: ChangedMessage['status'],
): Promise<void> {
  return showRows(ctx, changed(outcomes, change, done));
}

/**
 * Like `report`, but for rows that already exist. If a later request fails, the results of earlier requests are still
 * shown.
 */
export async function showRows(ctx: Context, rows: AsyncIterable<ChangedMessage>): Promise<void> {
  const shown: ChangedMessage[] = [];
  try {
    for await (const row of rows) shown.push(row);
  } catch (error) {
    if (shown.length > 0) await ctx.out.list(shown, changedRows.list);
    throw error;
  }
  await ctx.out.list(shown, changedRows.list);
  warnOfPurged(ctx, shown);
  const failure = deletedError(shown);
  if (failure) throw failure;
}

async function* changed(
  outcomes: AsyncIterable<MessageOutcome>,
  change: MessageChange,
  done: ChangedMessage['status'],
): AsyncGenerator<ChangedMessage, void, undefined> {
  for await (const outcome of outcomes) yield toChanged(outcome, change, done);
}
