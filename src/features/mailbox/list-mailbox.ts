import type { Client } from '../../client/index.ts';
import { messageTypeOf } from '../../contract/message-type.ts';
import type { Message, MessageFilter, Party } from '../../contract/message.ts';
import type { Context } from '../../runtime/context.ts';
import type { MailboxListOptions } from '../../runtime/mailbox-options.ts';
import type { View } from '../../runtime/output.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

interface ListedMailbox {
  readonly api: Pick<Client, 'extensions'>;
  /** The owner of the mailbox as the user named it; `~` is the extension of the user. */
  readonly extension: string;
  readonly view: View<Message>;
  /** The extensions in the cache of known values. */
  readonly known: () => readonly (Owner & { readonly id: string })[];
}

/** Maximum number of messages that the note about files names. */
const mostNamed = 3;

/** Returns the filter of a list for the other party, direction and read status. */
export function mailboxFilter(
  { direction = [], unread }: Partial<Pick<MailboxListOptions, 'direction' | 'unread'>>,
  phoneNumber: string | undefined,
): MessageFilter {
  return {
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(direction.length > 0 && { direction }),
    ...(unread && { readStatus: ['Unread'] }),
  };
}

/**
 * Writes the messages of one mailbox. Tables show the extension number of the owner, which the service omits at texts
 * and faxes, and a note names the command that saves faxes and voicemails.
 */
export async function listMailbox(
  ctx: Context,
  messages: AsyncIterable<Message>,
  { extension, view, ...source }: ListedMailbox,
): Promise<void> {
  if (ctx.out.format !== 'table') return ctx.out.list(messages, view);
  const files: string[] = [];
  const shown = async function* (): AsyncGenerator<Message, void, undefined> {
    let owner: Owner | undefined;
    for await (const message of messages) {
      if (['Fax', 'VoiceMail'].includes(messageTypeOf(message.type ?? ''))) files.push(String(message.id));
      owner ??= await ownerOf(ctx, source, message);
      yield withOwner(message, owner);
    }
  };
  await ctx.out.list(shown(), view);
  if (files.length === 0) return;
  const from = extension === '~' ? [] : ['--extension', extension];
  const command = ucctl`download ${files.slice(0, mostNamed)} ${from}`;
  ctx.out.note(
    nextStep`to save ${files.length === 1 ? 'its file' : 'files of faxes and voicemails'}: ${command}`,
  );
}

/** The owner of a mailbox; without a name if the service does not tell. */
interface Owner {
  readonly name?: string | undefined;
  readonly extensionNumber?: string | undefined;
}

/** Returns the owner from the cache of known values, or else from the service. A failed request is ignored. */
async function ownerOf(
  ctx: Context,
  { api, known }: Pick<ListedMailbox, 'api' | 'known'>,
  { extensionId }: Pick<Message, 'extensionId'>,
): Promise<Owner> {
  if (extensionId === undefined) return {};
  const owner = known().find(({ id }) => id === extensionId);
  if (owner) return owner;
  return api.extensions.get(extensionId, { signal: ctx.signal }).catch(() => ({}));
}

function withOwner(message: Message, { name, extensionNumber }: Owner): Message {
  const complete = (party: Party): Party =>
    name !== undefined && party.name === name ? { extensionNumber, ...party } : party;
  if (message.direction === 'Outbound') return { ...message, from: complete(message.from) };
  return { ...message, to: message.to.map(complete) };
}
