import type { Client } from '../../client/index.ts';
import { changedRows, deleteMessages as remove } from '../../features/mailbox/index.ts';
import { confirmRequest, outcomeUnknown } from '../../features/outgoing/index.ts';
import { readTime } from '../../features/time-window/index.ts';
import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';
import { checkIds } from './ids.ts';
import { showRows } from './mark.ts';

export interface MessageDeleteOptions {
  readonly ids: readonly string[];
  readonly conversation: readonly string[];
  readonly type?: 'SMS' | 'Fax' | 'VoiceMail' | 'Pager' | 'Text';
  readonly before?: string;
}

export function deleteMessages(ctx: Context, options: MessageDeleteOptions): Promise<void> {
  return deleteOrPurge(ctx, options, { purge: false });
}

export function purgeMessages(ctx: Context, options: MessageDeleteOptions): Promise<void> {
  return deleteOrPurge(ctx, options, { purge: true });
}

async function deleteOrPurge(
  ctx: Context,
  options: MessageDeleteOptions,
  { purge }: { readonly purge: boolean },
): Promise<void> {
  const { ids, conversation, type, before } = options;
  checkIds(ids);
  checkIds(conversation);
  const hasFilter = conversation.length > 0 || type !== undefined || before !== undefined;
  if (hasFilter === ids.length > 0) {
    throw usageError(
      'specify messages either by ID or with a filter',
      'pass ID..., or use --conversation, --type or --before',
    );
  }
  const api = await ctx.api();
  if (purge) ctx.out.warn('purging cannot be undone: it erases messages and attachments permanently');
  if (hasFilter) return byFilter(ctx, api, options, purge);
  if (purge)
    await confirmRequest(
      ctx,
      ids.length === 1 ? 'Purge this message?' : `Purge ${counted(ids.length, 'message')}?`,
      nothingDeleted,
    );
  await showRows(ctx, remove(api, ids, purge));
}

const nothingDeleted = 'nothing was deleted';

async function byFilter(
  ctx: Context,
  api: Client,
  { conversation, type, before }: MessageDeleteOptions,
  purge: boolean,
): Promise<void> {
  const filter = {
    ...(conversation.length > 0 && { conversationId: conversation }),
    ...(type && { type }),
    ...(before !== undefined && {
      dateTo: new Date(readTime(ctx, '--before', before)).toISOString(),
    }),
  };
  const which = [
    type === undefined ? [] : `of type ${type}`,
    conversation.length === 0
      ? []
      : `in ${conversation.length === 1 ? 'conversation' : 'conversations'} ${conversation.join(', ')}`,
    filter.dateTo === undefined ? [] : `created before ${filter.dateTo}`,
  ]
    .flat()
    .join(' ');
  await confirmRequest(ctx, `${purge ? 'Purge' : 'Delete'} all messages ${which}?`, nothingDeleted);
  await outcomeUnknown(
    ctx,
    `the service may have deleted the messages ${which}`,
    ucctl('message list --availability Alive,Deleted'),
    () => api.messages.deleteWhere(filter, purge ? { purge } : {}),
    nothingDeleted,
  );
  ctx.out.note(`${purge ? 'purged' : 'deleted'} all messages ${which}`);
  // The result has no message IDs, because the service does not return them for a deletion by filter.
  await ctx.out.list([{ id: '*', status: purge ? 'purged' : 'deleted', filter: which }], changedRows.list);
}
