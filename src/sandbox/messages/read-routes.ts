import { dayMilliseconds } from '../../platform/day.ts';
import { availabilities } from '../../contract/enums.ts';
import { readableExtension } from '../request/access.ts';
import { batchReply, eachItem } from '../request/batch-reply.ts';
import { idsOf } from '../request/batch-request.ts';
import type { Handler } from '../request/call.ts';
import { readDate } from '../request/dates.ts';
import { messageOf, readableMailbox } from './access.ts';
import { requestedOwners } from './owners.ts';
import { toMessage } from './view.ts';
import { listReply, pageOf } from '../request/paging.ts';
import { extensionPath, extensionUri } from '../request/uris.ts';

/**
 * Serves GET .../message-store: the messages of the mailbox, newest first. Without filters, the list contains the Alive
 * messages of the last 24 hours.
 */
export const listMessages: Handler<'listMessages'> = (call) => {
  const { world, query } = call;
  const extension = readableExtension(call);
  const to = readDate('dateTo', query.dateTo) ?? world.clock.now();
  const from = readDate('dateFrom', query.dateFrom) ?? to - dayMilliseconds;
  const availability = query.availability ?? ['Alive'];
  const page = pageOf(query);
  const conditions = {
    availability,
    conversationId: query.conversationId === undefined ? undefined : [query.conversationId],
    from,
    to,
    direction: query.direction,
    distinctConversations: query.distinctConversations,
    type: query.messageType?.map((type) => (type === 'Text' ? 'SMS' : type)),
    readStatus: query.readStatus,
    phoneNumber: query.phoneNumber?.replace(/^ /, '+').replace(/^(?=\d{7})/, '+'),
  };
  const slice = world.messages.list(
    extension.id,
    { ...conditions, ...requestedOwners(world, extension, query) },
    page.window,
  );
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
    ...(world.dialect.syncOwner !== undefined && {
      owner: query.owner,
      voicemailOwner: query.voicemailOwner,
      ownerExtensionType: query.ownerExtensionType,
    }),
  };
  const path = `${extensionPath(extension)}/message-store`;
  return { json: listReply({ world, path, filters, page }, slice, (row) => toMessage(world, row)) };
};

/**
 * Serves GET .../message-store/{messageId}: in dialect `spec`, Deleted and Purged messages are hidden unless
 * `availability` includes them. Dialect `current` has no such parameter and hides no message (CURRENT-18).
 * A request with several IDs returns 207. Only the reply to a single ID has `vmSideRecipients` (CURRENT-21).
 */
export const readMessage: Handler<'readMessage'> = (call) => {
  const { world } = call;
  const mailbox = readableMailbox(call);
  const [only = '', ...others] = idsOf('messageId', call.params['messageId'] ?? '');
  const availability = world.dialect.hasAvailabilityById
    ? (call.query.availability ?? ['Alive'])
    : availabilities;
  const read = (id: string) => toMessage(world, messageOf(world, mailbox, Number(id), availability));
  if (others.length === 0) {
    const message = read(only);
    return { json: world.dialectName === 'spec' ? message : { ...message, vmSideRecipients: message.to } };
  }
  const items = [only, ...others].map((id) => ({ id }));
  const store = `${extensionUri(world, mailbox)}/message-store`;
  return batchReply(
    call,
    (id) => `${store}/${id}`,
    eachItem(items, ({ id }) => read(id)),
  );
};
