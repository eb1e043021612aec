import type { Call, Handler, Reply } from '../call.ts';
import { invalidParameter, ServiceError } from '../errors.ts';
import { readDate } from '../dates.ts';
import { launchFax } from '../fax.ts';
import { messageOf, writableMailbox } from '../mailbox-access.ts';
import { toMessage } from '../message-view.ts';
import { changeMessage, deleteMessages, purgeMessages, restoreMessage } from '../messages.ts';
import { askedIds, eachId, multiStatus, type AskedIds } from '../multi-status.ts';
import type { ExtensionRow } from '../store/extensions.ts';
import type { MessageRow } from '../store/messages.ts';
import { extensionUri } from '../uris.ts';
import type { World } from '../world.ts';

/** PUT .../message-store/{messageId}: marks messages as read or unread; several ids give a 207. */
export const updateMessage: Handler<'updateMessage'> = (call) =>
  changeEach(call, call.body.ids, ['Alive', 'Deleted'], (row) => mark(call.world, row, call.body.readStatus));

/** PATCH .../message-store/{messageId}: brings deleted messages back, marks messages (facts 1.1, L163). */
export const patchMessage: Handler<'patchMessage'> = (call) => {
  const { world, body } = call;
  const readStatus = body.readStatus;
  if (body.availability === undefined && readStatus === undefined) throw invalidParameter('availability');
  const reach = body.availability === undefined ? ['Alive', 'Deleted'] : ['Alive', 'Deleted', 'Purged'];
  return changeEach(call, body.ids, reach, (row) => {
    if (body.availability === undefined || row.availability === 'Alive') return mark(world, row, readStatus);
    if (row.availability === 'Purged')
      throw invalidParameter('availability', 'a purged message cannot be restored');
    const restored = restoreMessage(world, row, readStatus === undefined ? {} : { readStatus });
    // A fax whose sending was cancelled by deleting it.
    return restored.type === 'Fax' && restored.messageStatus === 'Queued'
      ? launchFax(world, restored)
      : restored;
  });
};

/** DELETE .../message-store/{messageId}: the first call deletes, the second purges, `purge=true` purges at once. */
export const deleteMessage: Handler<'deleteMessage'> = (call) => {
  const { world, query } = call;
  const mailbox = writableMailbox(call);
  const { ids, several } = askedIds('messageId', call.params['messageId'] ?? '');
  const type = typeOf(query.type);
  const remove = (id: number): undefined => {
    const row = messageOf(world, mailbox, id, ['Alive', 'Deleted']);
    if (type !== undefined && row.type !== type)
      throw invalidParameter('type', `the message is of type ${row.type}`);
    if (query.purge || row.availability === 'Deleted') purgeMessages(world, [row]);
    else deleteMessages(world, [row]);
  };
  if (!several) {
    remove(ids[0] ?? 0);
    return {};
  }
  const outcomes = eachId(ids, 204, remove);
  if (outcomes.every(({ status }) => status === 204)) return {};
  return multiStatus(mailboxUri(world, mailbox), outcomes);
};

/** DELETE .../message-store: by filter; without one, the whole mailbox. */
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
  const rows = world.messages.matching(mailbox.id, {
    availability: query.purge ? ['Alive', 'Deleted'] : ['Alive'],
    conversationId: query.conversationId,
    to: readDate('dateTo', query.dateTo) ?? world.clock.now(),
    type: type === undefined ? undefined : [type],
  });
  if (query.purge) purgeMessages(world, rows);
  else deleteMessages(world, rows);
  return {};
};

function changeEach(
  call: Pick<Call, 'world' | 'caller' | 'params'>,
  idsInBody: readonly (string | number)[] | undefined,
  availability: readonly string[],
  change: (row: MessageRow) => MessageRow,
): Reply {
  const { world } = call;
  const mailbox = writableMailbox(call);
  const asked: AskedIds = askedIds('messageId', call.params['messageId'] ?? '', idsInBody);
  const work = (id: number) => toMessage(world, change(messageOf(world, mailbox, id, availability)));
  if (!asked.several) return { json: work(asked.ids[0] ?? 0) };
  return multiStatus(mailboxUri(world, mailbox), eachId(asked.ids, 200, work));
}

/** Marking what is marked so already changes nothing and tells nobody. */
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
