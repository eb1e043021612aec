import type { z } from 'zod';
import { MessagePatch, MessageUpdate } from '../../contract/message-store.ts';
import { batchReply, eachItem } from '../request/batch-reply.ts';
import { changesOf, idsOfPathOrBody } from '../request/batch-request.ts';
import type { Call, Handler, Reply } from '../request/call.ts';
import { isAdministrator } from '../request/access.ts';
import { invalidParameter, ServiceError, userNotAllowed } from '../request/errors.ts';
import { readDate } from '../request/dates.ts';
import { launchFax } from '../fax/rules.ts';
import { messageOf, writableMailbox } from './access.ts';
import { ownersOf } from './owners.ts';
import { toMessage } from './view.ts';
import { changeMessage, deleteMessages, purgeMessages, restoreMessage } from './rules.ts';
import { parseShape } from '../request/shape.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { MessageRow } from './store.ts';
import { extensionUri } from '../request/uris.ts';
import type { World } from '../world/world.ts';

/**
 * Serves PUT .../message-store/{messageId}: marks messages as read or unread. A request with several IDs returns 207.
 */
export const updateMessage: Handler<'updateMessage'> = (call) =>
  changeEach(call, call.body, MessageUpdate, ({ world, mailbox }, id, { readStatus }) =>
    mark(world, messageOf(world, mailbox, id, ['Alive', 'Deleted']), readStatus),
  );

/**
 * Serves PATCH .../message-store/{messageId}: restores deleted messages, or marks messages as read or unread. In dialect
 * `current`, it also deletes and purges messages (MESSAGE-47).
 */
export const patchMessage: Handler<'patchMessage'> = (call) =>
  changeEach(call, call.body, MessagePatch, ({ world, mailbox }, id, { availability, readStatus }) => {
    if (availability === undefined && readStatus === undefined) throw invalidParameter('availability');
    const reach = availability === undefined ? ['Alive', 'Deleted'] : ['Alive', 'Deleted', 'Purged'];
    const row = messageOf(world, mailbox, id, reach);
    if (availability === 'Deleted' || availability === 'Purged')
      return remove(world, row, availability, readStatus);
    if (availability === undefined || row.availability === 'Alive') return mark(world, row, readStatus);
    if (row.availability === 'Purged')
      throw invalidParameter('availability', 'a purged message cannot be restored');
    const restored = restoreMessage(world, row, readStatus === undefined ? {} : { readStatus });
    // A fax whose sending was canceled by a deletion.
    return restored.type === 'Fax' && restored.messageStatus === 'Queued'
      ? launchFax(world, restored)
      : restored;
  });

/** Deletes or purges a message by PATCH. */
function remove(
  world: World,
  row: MessageRow,
  availability: 'Deleted' | 'Purged',
  readStatus: string | undefined,
): MessageRow {
  if (world.dialectName === 'spec') throw invalidParameter('availability');
  if (row.availability === 'Purged' && availability === 'Deleted')
    throw invalidParameter('availability', 'a purged message cannot be restored');
  const marked = row.availability === 'Purged' ? row : mark(world, row, readStatus);
  if (row.availability === availability) return marked;
  if (availability === 'Purged') purgeMessages(world, [marked]);
  else deleteMessages(world, [marked]);
  return world.messages.byId(row.id) ?? marked;
}

/**
 * Serves DELETE .../message-store/{messageId}: the first request deletes, the second request purges, and `purge=true`
 * purges immediately.
 */
export const deleteMessage: Handler<'deleteMessage'> = (call) => {
  const { world, query } = call;
  const mailbox = writableMailbox(call);
  const path = call.params['messageId'] ?? '';
  const ids = idsOfPathOrBody('messageId', path, call.text);
  const type = typeOf(query.type);
  const removeOne = (id: string): void => {
    const row = messageOf(world, mailbox, Number(id), ['Alive', 'Deleted']);
    if (type !== undefined && row.type !== type)
      throw invalidParameter('type', `the message is of type ${row.type}`);
    if (query.purge || row.availability === 'Deleted') purgeMessages(world, [row]);
    else deleteMessages(world, [row]);
  };
  const [only = '', ...others] = ids;
  if (others.length === 0 && path !== '*') {
    removeOne(only);
    return {};
  }
  const outcomes = eachItem(
    ids.map((id) => ({ id })),
    ({ id }) => {
      removeOne(id);
      // A part of a multipart reply never has the status 204, because it needs a body.
      return {};
    },
  );
  if (outcomes.every(({ status }) => status === 200)) return {};
  return batchReply(call, (id) => `${mailboxUri(world, mailbox)}/${id}`, outcomes);
};

/**
 * Serves DELETE .../message-store: deletes the messages that a filter selects, or without a filter the whole mailbox.
 */
export const deleteMailbox: Handler<'deleteMessages'> = (call) => {
  const { world, query } = call;
  const mailbox = writableMailbox(call);
  if (query.conversationId && query.type !== undefined) {
    throw new ServiceError(400, 'MSG-390', 'Parameters [conversationId] and [type] cannot be used together', {
      parameterName: 'conversationId',
      outerCode: 'InvalidParameter',
    });
  }
  const type = typeOf(query.type);
  const owners = ownersOf(world, mailbox, query.owner) ?? [mailbox.id];
  if (owners.some((id) => id !== mailbox.id) && !isAdministrator(call.caller.extension))
    throw userNotAllowed('CMN-408', 'Changing shared messages requires extended scope');
  const conditions = {
    availability: query.purge ? ['Alive', 'Deleted'] : ['Alive'],
    conversationId: query.conversationId,
    to: readDate('dateTo', query.dateTo) ?? world.clock.now(),
    type: type === undefined ? undefined : [type],
  };
  const rows = owners.flatMap((id) => world.messages.matching(id, conditions));
  if (query.purge) purgeMessages(world, rows);
  else deleteMessages(world, rows);
  return {};
};

/** The mailbox of a change. */
interface Place {
  readonly world: World;
  readonly mailbox: ExtensionRow;
}

/** Applies `body` to the message of the path, or the matching item to each of several messages. */
function changeEach<S extends z.ZodType>(
  call: Pick<Call, 'world' | 'caller' | 'params' | 'batch' | 'headers'>,
  body: z.infer<S> | undefined,
  schema: S,
  change: (place: Place, id: number, body: z.infer<S>) => MessageRow,
): Reply {
  const { world, batch } = call;
  const place: Place = { world, mailbox: writableMailbox(call) };
  const text = call.params['messageId'] ?? '';
  if (body !== undefined && /^\d+$/.test(text)) {
    return { json: toMessage(world, change(place, Number(text), body)) };
  }
  const outcomes = eachItem(changesOf('messageId', text, batch), (item) => {
    const asked = parseShape(schema, item.body).value as z.infer<S>;
    return toMessage(world, change(place, Number(item.id), asked));
  });
  return batchReply(call, (id) => `${mailboxUri(world, place.mailbox)}/${id}`, outcomes);
}

/** Marking a message that already has this status changes nothing and sends no event. */
function mark(world: World, row: MessageRow, readStatus: string | undefined): MessageRow {
  if (readStatus === undefined || row.readStatus === readStatus) return row;
  return changeMessage(world, row, { readStatus });
}

function typeOf(text: string | undefined): string | undefined {
  if (text === undefined || text === 'All') return undefined;
  return text === 'Text' ? 'SMS' : text;
}

function mailboxUri(world: World, mailbox: ExtensionRow): string {
  return `${extensionUri(world, mailbox)}/message-store`;
}
