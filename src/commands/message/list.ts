import { dialects } from '../../contract/dialects.ts';
import { usageError } from '../../errors/command.ts';
import { extensionIdOf } from '../../features/directory/index.ts';
import { listMailbox, messageView, newestFirst } from '../../features/mailbox/index.ts';
import { knownExtensions } from '../../features/known-values/index.ts';
import { dateFilter, readWindow, withRange } from '../../features/time-window/index.ts';
import { readCorrespondent } from '../../features/outgoing/index.ts';
import type { MessageFilter } from '../../contract/message.ts';
import type { Context } from '../../runtime/context.ts';
import type { MailboxListOptions } from '../../runtime/mailbox-options.ts';

export interface MessageListOptions extends MailboxListOptions {
  readonly type: readonly ('SMS' | 'Fax' | 'VoiceMail' | 'Pager' | 'Text')[];
  readonly availability: readonly ('Alive' | 'Deleted' | 'Purged')[];
  readonly read?: boolean;
  readonly conversation: readonly string[];
  readonly distinct?: boolean;
}

export async function listMessages(ctx: Context, options: MessageListOptions): Promise<void> {
  const { type, availability, direction, read, unread, conversation, distinct, phone, limit, perPage } =
    options;
  checkTypes(ctx, type);
  const number = phone === undefined ? undefined : await readCorrespondent(ctx, '--phone', phone);
  const window = readWindow(options, ctx);
  const filter: MessageFilter = {
    ...dateFilter(window),
    ...(type.length > 0 && { messageType: type }),
    ...(availability.length > 0 && { availability }),
    ...(direction.length > 0 && { direction }),
    ...(read && { readStatus: ['Read'] }),
    ...(unread && { readStatus: ['Unread'] }),
    ...(distinct && { distinctConversations: true }),
    ...(number !== undefined && { phoneNumber: number }),
  };
  const api = await ctx.api();
  const mailbox = await extensionIdOf(api, options.extension, ctx.signal);
  const page = { limit, perPage, signal: ctx.signal };
  // A request can select only one conversation (MESSAGE-45).
  const [first, ...more] = [...new Set(conversation)].map((conversationId) =>
    api.messages.list(mailbox, { ...filter, conversationId }, page),
  );
  const messages = first ? newestFirst([first, ...more], limit) : api.messages.list(mailbox, filter, page);
  await listMailbox(ctx, messages, {
    api,
    extension: options.extension,
    view: withRange(messageView, window),
    known: () => knownExtensions(ctx),
  });
}

/** @throws {CommandError} `usage` (exit 2) for a type that the dialect does not have. */
function checkTypes({ settings }: Context, types: readonly string[]): void {
  const { value: name } = settings.dialect;
  const own: readonly string[] = dialects[name].messageTypes;
  const wrong = types.find((type) => !own.includes(type));
  if (wrong === undefined) return;
  throw usageError(
    `--type: "${wrong}" is not a valid message type in dialect ${name}; this dialect has the types ${own.join(', ')}`,
  );
}
