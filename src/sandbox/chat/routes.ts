import { chatFieldBytes, chatPostBytes } from '../../contract/limits.ts';
import type { ChatPost } from '../../contract/chat.ts';
import { isAdministrator } from '../request/access.ts';
import type { Authorized, Caller, Handler, Routes } from '../request/call.ts';
import { invalidParameter, notFound, ServiceError, userNotAllowed } from '../request/errors.ts';
import { addressOf, chatPath } from '../request/uris.ts';
import type { ChatWebhookRow } from './store.ts';
import type { World } from '../world/world.ts';

/** Serves POST chat/groups/{groupId}/webhooks, with an empty body. */
const createChatWebhook: Handler<'createChatWebhook'> = (call) => {
  const { world, caller } = call;
  const groupId = groupOf(call);
  const now = world.clock.now();
  const row: ChatWebhookRow = {
    id: world.random.uuid(),
    key: world.random.uuid(),
    creatorId: caller.extension.id,
    groupId,
    createdAt: now,
    modifiedAt: now,
    status: 'Active',
  };
  world.chat.save(row);
  return { json: toWebhook(world, row) };
};

/**
 * Serves GET chat/groups/{groupId}/webhooks. Users get only their own webhooks, because an address is a credential;
 * administrators get all webhooks.
 */
const listGroupChatWebhooks: Handler<'listGroupChatWebhooks'> = (call) => {
  const { world, caller } = call;
  const groupId = groupOf(call);
  const rows = world.chat.ofGroup(groupId).filter((row) => maySee(caller, row));
  return list(world, `/groups/${groupId}/webhooks`, rows);
};

/** Serves GET chat/webhooks. */
const listChatWebhooks: Handler<'listChatWebhooks'> = ({ world, caller }) =>
  list(world, '/webhooks', world.chat.ofCreator(caller.extension.id));

/**
 * Serves GET chat/webhooks/{id}[,{id}]: returns the existing webhooks, including deleted webhooks; 404 if none exists.
 */
const readChatWebhook: Handler<'readChatWebhook'> = ({ world, caller, params }) => {
  const ids = (params['webhookId'] ?? '').split(',');
  const rows = ids.flatMap((id) => world.chat.byId(id) ?? []).filter((row) => maySee(caller, row));
  if (rows.length === 0) throw notFound('webhookId');
  return list(world, `/webhooks/${ids.join(',')}`, rows);
};

const deleteChatWebhook: Handler<'deleteChatWebhook'> = (call) => change(call, 'Deleted');
const activateChatWebhook: Handler<'activateChatWebhook'> = (call) => change(call, 'Active');
const suspendChatWebhook: Handler<'suspendChatWebhook'> = (call) => change(call, 'Suspended');

/** Serves POST to the address of a webhook, which needs no token. */
const postToChat: Handler<'postToChat'> = ({ world, params, body, text }) => {
  const row = world.chat.byKey(params['webhookKey'] ?? '');
  if (!row || row.status === 'Deleted') throw notFound('webhookKey');
  if (row.status !== 'Active') throw userNotAllowed('CMN-408', 'The webhook is suspended');
  checkPost(body, text);
  const createdAt = world.clock.now();
  world.chat.addPost({ groupId: row.groupId, webhookId: row.id, createdAt, content: text });
  return { json: { status: 'OK' } };
};

/** Incoming webhooks of chat groups. */
export const chatRoutes = {
  createChatWebhook,
  listGroupChatWebhooks,
  listChatWebhooks,
  readChatWebhook,
  deleteChatWebhook,
  activateChatWebhook,
  suspendChatWebhook,
  postToChat,
} satisfies Routes;

/**
 * Returns the group or team of the path, for members and administrators.
 * @throws {ServiceError} CMN-102 unknown, CMN-408 not a member.
 */
function groupOf({ world, caller, params }: Authorized): string {
  const group = world.chat.group(params['groupId'] ?? '');
  if (group?.accountId !== caller.extension.accountId) throw notFound('groupId');
  if (world.chat.isMember(group.id, caller.extension.id) || isAdministrator(caller.extension))
    return group.id;
  throw userNotAllowed('CMN-408', 'Only members of the group may manage its webhooks');
}

function maySee(caller: Caller, row: ChatWebhookRow): boolean {
  return row.creatorId === caller.extension.id || isAdministrator(caller.extension);
}

/** Changes the status of a webhook. A deleted webhook counts as not found. */
function change({ world, caller, params }: Authorized, status: ChatWebhookRow['status']) {
  const row = world.chat.byId(params['webhookId'] ?? '');
  if (!row || row.status === 'Deleted' || !maySee(caller, row)) throw notFound('webhookId');
  if (row.status !== status) world.chat.save({ ...row, status, modifiedAt: world.clock.now() });
  return { text: '' };
}

function list(world: World, path: string, rows: readonly ChatWebhookRow[]) {
  return {
    json: { uri: addressOf(world, chatPath(world, path)), records: rows.map((row) => toWebhook(world, row)) },
  };
}

function toWebhook(world: World, row: ChatWebhookRow) {
  return {
    id: row.id,
    creatorId: String(row.creatorId),
    groupIds: [row.groupId],
    creationTime: world.clock.iso(row.createdAt),
    lastModifiedTime: world.clock.iso(row.modifiedAt),
    uri: addressOf(world, `/webhook/v2/${row.key}`),
    status: row.status,
  };
}

/**
 * Checks the limits of a post (CHAT-12). Attachments that are not cards are not checked (CHAT-11).
 * @param json the body of the request, including the members that the contract does not define
 */
function checkPost({ title, icon, body, text }: ChatPost, json: string): void {
  const { attachments = [] } = JSON.parse(json) as ChatPost;
  if ([body, title, text].every((part) => part === undefined) && attachments.length === 0)
    throw invalidParameter('body', 'the post is empty');
  checkFields({ title, icon }, '');
  for (const [index, attachment] of attachments.entries()) {
    if (attachment.type === 'Card') checkFields(attachment, `attachments[${index}].`);
  }
  const bytes = Buffer.byteLength(JSON.stringify(attachments));
  if (bytes > chatPostBytes) {
    throw new ServiceError(
      413,
      'CMN-104',
      `The attachments have ${bytes} bytes, but at most ${chatPostBytes} are allowed`,
    );
  }
}

/** All texts of an attachment except `text`, including the texts of card fields. */
function checkFields(value: object, prefix: string): void {
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    if (Array.isArray(member)) {
      for (const [index, field] of member.entries())
        checkFields(Object(field) as object, `${prefix}${name}[${index}].`);
      continue;
    }
    if (typeof member !== 'string' || name === 'text') continue;
    const bytes = Buffer.byteLength(member);
    if (bytes > chatFieldBytes) {
      throw invalidParameter(prefix + name, `${bytes} bytes exceed the maximum of ${chatFieldBytes}`);
    }
  }
}
