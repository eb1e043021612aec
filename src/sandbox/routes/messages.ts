import { readableExtension } from '../access.ts';
import type { Handler } from '../call.ts';
import { invalidParameter, notFound } from '../errors.ts';
import { toMessage } from '../messages.ts';
import { listReply, pageOf } from '../paging.ts';
import { extensionPath } from '../uris.ts';

const DAY = 86_400_000;

/** GET .../message-store: the mailbox, newest first; the last 24 hours and what is Alive unless asked otherwise. */
export const listMessages: Handler<'listMessages'> = (call) => {
  const { world, query } = call;
  const extension = readableExtension(call);
  const to = readDate('dateTo', query.dateTo) ?? world.clock.now();
  const from = readDate('dateFrom', query.dateFrom) ?? to - DAY;
  const availability = query.availability ?? ['Alive'];
  const page = pageOf(query);
  const conditions = {
    availability,
    conversationId: query.conversationId,
    from,
    to,
    direction: query.direction,
    distinctConversations: query.distinctConversations,
    type: query.messageType?.map((type) => (type === 'Text' ? 'SMS' : type)),
    readStatus: query.readStatus,
    phoneNumber: query.phoneNumber?.replace(/^ /, '+').replace(/^(?=\d)/, '+'),
  };
  const slice = world.messages.list(extension.id, conditions, page.window);
  const filters = {
    availability,
    conversationId: query.conversationId,
    dateFrom: world.clock.iso(from),
    dateTo: world.clock.iso(to),
    direction: query.direction,
    distinctConversations: query.distinctConversations ? 'true' : undefined,
    messageType: query.messageType,
    readStatus: query.readStatus,
    phoneNumber: query.phoneNumber,
  };
  const path = `${extensionPath(extension)}/message-store`;
  return { json: listReply(world, path, filters, page, slice, (row) => toMessage(world, row)) };
};

/** GET .../message-store/{messageId}: what is Deleted or Purged is hidden unless `availability` asks for it. */
export const readMessage: Handler<'readMessage'> = (call) => {
  const { world } = call;
  const extension = readableExtension(call);
  const row = world.messages.byId(Number(call.params['messageId']));
  const query = call.query as unknown as Readonly<Record<string, string | readonly string[]>>;
  const asked = [query['availability'] ?? 'Alive'].flat().flatMap((text) => text.split(','));
  if (row?.extensionId !== extension.id || !asked.includes(row.availability)) throw notFound('messageId');
  return { json: toMessage(world, row) };
};

function readDate(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  // A plus sign that was not percent-encoded arrives as a blank.
  const date = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[ +-]\d{2}:?\d{2})?)?$/.test(text)
    ? Date.parse(
        text
          .replace(' ', '+')
          .replace(/([+-]\d{2})(\d{2})$/, '$1:$2')
          .replace(/(T[\d:.]+)$/, '$1Z'),
      )
    : Number.NaN;
  if (Number.isNaN(date)) throw invalidParameter(name);
  return date;
}
