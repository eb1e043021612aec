import { knownExtensions } from '../../features/known-values/index.ts';
import { oldestSync, readCopy, SearchError } from '../../features/mirror/index.ts';
import { CommandError } from '../../errors/command.ts';
import {
  PageContent,
  PageError,
  type PageRequest,
  type PageRoute,
} from '../../platform/local-page/page-route.ts';
import { readMoment } from '../../platform/moment.ts';
import type { Context } from '../../runtime/context.ts';
import { hintFor } from '../../runtime/hint-for.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { withNumber } from '../../runtime/with-number.ts';
import type { Archive } from '../../store/archive.ts';
import type { ExportMedia, ExportRow } from '../../store/export-row.ts';
import type { Mailbox } from '../../store/mailbox.ts';
import type { Found } from '../../store/message-store.ts';
import { partyOf, titleOf, toCopiedMessage } from './copied-message.ts';
import type { CopiedConversation, CopiedConversations, CopiedThread } from './types.ts';

/** Number of newest matching messages whose conversations are listed. */
const mostFound = 500;
/** Number of newest messages of a conversation that are shown. */
const mostMessages = 1000;
/** Content types that the page shows. The browser downloads all others. */
const shownTypes = /^(audio\/[\w.+-]+|image\/(png|jpeg|gif|tiff)|application\/pdf)$/;

/** The routes that read the local mailbox copy, or the store. They send no requests to the service. */
export function messageRoutes(ctx: Context, options: CopyOptions): readonly PageRoute[] {
  const read = <T>(work: (archive: Archive) => Promise<T>): Promise<T> => inCopy(ctx, options, work);
  return [
    {
      method: 'GET',
      path: '/api/conversations',
      answer: ({ query }) => read((archive) => listConversations(ctx, archive, query.get('search') ?? '')),
    },
    {
      method: 'GET',
      path: '/api/conversations/:mailbox/:id',
      answer: ({ params }) =>
        read((archive) => readThread(ctx, archive, params['mailbox'] ?? '', params['id'] ?? '')),
    },
    {
      method: 'GET',
      path: '/api/conversations/:mailbox/:id/content/:sha256',
      answer: (request) => read((archive) => readContent(archive, request)),
    },
  ];
}

/** Runs work on the copy. @throws {PageError} 422 with the message and hint of the error. */
export async function inCopy<T>(
  ctx: Context,
  options: CopyOptions,
  work: (archive: Archive) => Promise<T>,
): Promise<T> {
  try {
    return await readCopy(ctx, options, work);
  } catch (error) {
    if (error instanceof SearchError) throw new PageError(422, error.message);
    if (!(error instanceof CommandError)) throw error;
    const { code, hint, message } = error;
    throw new PageError(422, message, { code, ...(hint !== undefined && { hint: hintFor(ctx, hint) }) });
  }
}

async function listConversations(
  ctx: Context,
  { messages }: Archive,
  search: string,
): Promise<CopiedConversations> {
  const found = await messages.search(search, mostFound, (time) => readMoment(time, ctx.now(), ctx.out.zone));
  const titles = mailboxTitles(ctx, await messages.ownMailbox());
  const conversations = new Map<string, CopiedConversation>();
  const mailboxes = new Map<string, string>();
  let count = 0;
  for await (const one of found) {
    count += 1;
    mailboxes.set(one.extensionId, one.mailbox);
    const place = `${one.mailbox} ${keyOf(one.conversationId, one.id)}`;
    const known = conversations.get(place);
    conversations.set(place, known ? { ...known, matches: known.matches + 1 } : conversationOf(one, titles));
  }
  const oldest = await oldestSync(messages, mailboxes);
  return {
    conversations: [...conversations.values()],
    hasMore: count === mostFound,
    location: messages.location,
    copiedAt: oldest?.syncTime,
    oldestMailbox: oldest?.mailbox === undefined || oldest.isOnly ? undefined : titles(oldest.mailbox),
    oldestExtension: oldest?.extension,
  };
}

type MailboxTitle = (mailbox: string) => string;

/**
 * Returns a function that describes a mailbox by its number or ID. The names come from the completion cache, so that no
 * request is sent.
 */
function mailboxTitles(ctx: Context, own: Mailbox | undefined): MailboxTitle {
  const known = knownExtensions(ctx);
  return (mailbox) => {
    const owner = known.find(({ id, extensionNumber }) => [id, extensionNumber].includes(mailbox));
    if (owner) return `Mailbox of ${withNumber(owner.name, owner.extensionNumber)}`;
    const isOwn = own !== undefined && [own.extensionId, own.extensionNumber].includes(mailbox);
    return isOwn ? 'Your mailbox' : `Mailbox ${mailbox}`;
  };
}

/** Returns the key of a conversation. A message without a conversation is one of its own. */
function keyOf(conversation: string | null, messageId: string): string {
  return conversation ?? `message ${messageId}`;
}

function conversationOf(
  { mailbox, id, type, direction, ...found }: Found,
  titleOfMailbox: MailboxTitle,
): CopiedConversation {
  return {
    mailbox,
    mailboxTitle: titleOfMailbox(mailbox),
    key: keyOf(found.conversationId, id),
    id,
    type,
    direction,
    time: found.creationTime,
    isUnread: found.readStatus === 'Unread',
    who: direction === 'Outbound' ? partyOf(found.toNames, found.to) : partyOf(found.fromName, found.from),
    text: found.text,
    matches: 1,
  };
}

/** @throws {PageError} 404. */
async function readThread(
  ctx: Context,
  { messages }: Archive,
  mailbox: string,
  id: string,
): Promise<CopiedThread> {
  const place = (await messages.threadOf(mailbox, id)) ?? notFound(`message ${id}`);
  const selection = messages.select('', () => undefined);
  const rows: ExportRow[] = [];
  let hasOlder = false;
  for await (const row of messages.threadMessages(place, selection)) {
    rows.push(row);
    if (rows.length <= mostMessages) continue;
    rows.shift();
    hasOlder = true;
  }
  const own = await messages.ownMailbox();
  const isOwn = place.mailbox === own?.extensionId;
  const copied = await Promise.all(
    rows.map(async (row) => {
      const media = row.attachments > 0 ? await messages.attachments(row.pk) : [];
      return toCopiedMessage(row, media, { mailbox, isOwn });
    }),
  );
  return {
    mailbox,
    key: keyOf(place.conversation, id),
    mailboxTitle: mailboxTitles(ctx, own)(mailbox),
    title: titleOf(rows),
    messages: copied,
    hasOlder,
    reply: isOwn ? replyOf(rows) : undefined,
  };
}

/**
 * Returns the kind of reply that ucctl can send to the conversation: a text to one outside number, or a pager
 * message.
 */
function replyOf(rows: readonly ExportRow[]): CopiedThread['reply'] {
  const last = rows.findLast(({ type }) => type === 'SMS' || type === 'Pager');
  if (!last) return undefined;
  if (last.type === 'Pager') return 'pager';
  return peerOf(last) === undefined ? undefined : 'sms';
}

/** Returns the outside number and the own number of a text; undefined for a group. */
export function peerOf(row: ExportRow): { readonly peer: string; readonly own: string } | undefined {
  const to = (row.toNumbers ?? '').trim().split(/\s+/);
  const [only, second] = to;
  if (row.fromNumber === null || only === undefined || only === '' || second !== undefined) return undefined;
  return row.direction === 'Outbound'
    ? { peer: only, own: row.fromNumber }
    : { peer: row.fromNumber, own: only };
}

/** Returns the newest text or pager message of a conversation. @throws {PageError} 404, or 422 without such a message. */
export async function lastAnswerable({ messages }: Archive, mailbox: string, id: string): Promise<ExportRow> {
  const place = (await messages.threadOf(mailbox, id)) ?? notFound(`message ${id}`);
  const own = await messages.ownMailbox();
  let last: ExportRow | undefined;
  for await (const row of messages.threadMessages(
    place,
    messages.select('', () => undefined),
  ))
    if (row.type === 'SMS' || row.type === 'Pager') last = row;
  if (!last) throw new PageError(422, 'you can reply only to texts and pager messages');
  if (last.mailbox !== own?.extensionId)
    throw new PageError(422, 'you can reply only in conversations of your own mailbox');
  return last;
}

/** Returns a copied attachment. @throws {PageError} 404. */
async function readContent({ messages, media }: Archive, { params }: PageRequest): Promise<PageContent> {
  const { mailbox = '', id = '', sha256 = '' } = params;
  const place = (await messages.threadOf(mailbox, id)) ?? notFound(`message ${id}`);
  const all: readonly ExportMedia[] = await messages.attachments(place.pk);
  const one =
    all.find((attachment) => attachment.sha256 === sha256) ?? notFound(`the attachment of message ${id}`);
  const bytes = await media.read(sha256).catch(() => notFound(`the attachment file of message ${id}`));
  const [type = ''] = (one.contentType ?? '').toLowerCase().split(';');
  return new PageContent(shownTypes.test(type) ? type : 'application/octet-stream', bytes);
}

function notFound(what: string): never {
  throw new PageError(404, `${what} not found in the local mailbox copy`);
}
