import { ChatPost, ChatWebhook, ChatWebhookList } from '../chat.ts';
import { dialects } from '../dialects.ts';
import { chatRequestBytes } from '../limits.ts';
import type { Operation } from './operation.ts';

const chat = dialects.spec.chatPath;
const currentChat = dialects.current.chatPath;

/** Chat webhooks. */
export const chatWebhooks = {
  createChatWebhook: {
    method: 'POST',
    path: `${chat}/groups/{groupId}/webhooks`,
    current: { path: `${currentChat}/groups/{groupId}/webhooks`, permission: 'TeamMessaging' },
    section: 'Chat webhooks',
    summary: 'Creates a webhook that posts to a group or team',
    authorization: 'bearer',
    group: 'Medium',
    status: 200,
    reply: ChatWebhook,
  },
  listGroupChatWebhooks: {
    method: 'GET',
    path: `${chat}/groups/{groupId}/webhooks`,
    current: { path: `${currentChat}/groups/{groupId}/webhooks`, permission: 'TeamMessaging' },
    section: 'Chat webhooks',
    summary: 'Lists the webhooks of a group',
    authorization: 'bearer',
    group: 'Medium',
    status: 200,
    reply: ChatWebhookList,
  },
  listChatWebhooks: {
    method: 'GET',
    path: `${chat}/webhooks`,
    current: { path: `${currentChat}/webhooks`, permission: 'TeamMessaging' },
    section: 'Chat webhooks',
    summary: "Lists the signed-in user's chat webhooks",
    authorization: 'bearer',
    group: 'Medium',
    status: 200,
    reply: ChatWebhookList,
  },
  readChatWebhook: {
    method: 'GET',
    path: `${chat}/webhooks/{webhookId}`,
    current: { path: `${currentChat}/webhooks/{webhookId}`, permission: 'TeamMessaging' },
    section: 'Chat webhooks',
    summary: 'Reads a chat webhook',
    authorization: 'bearer',
    group: 'Medium',
    status: 200,
    reply: ChatWebhookList,
  },
  deleteChatWebhook: {
    method: 'DELETE',
    path: `${chat}/webhooks/{webhookId}`,
    current: { path: `${currentChat}/webhooks/{webhookId}`, permission: 'TeamMessaging' },
    section: 'Chat webhooks',
    summary: 'Deletes a chat webhook',
    authorization: 'bearer',
    group: 'Medium',
    status: 200,
  },
  activateChatWebhook: {
    method: 'POST',
    path: `${chat}/webhooks/{webhookId}/activate`,
    current: { path: `${currentChat}/webhooks/{webhookId}/activate`, permission: 'TeamMessaging' },
    section: 'Chat webhooks',
    summary: 'Activates a suspended chat webhook',
    authorization: 'bearer',
    group: 'Medium',
    status: 200,
  },
  suspendChatWebhook: {
    method: 'POST',
    path: `${chat}/webhooks/{webhookId}/suspend`,
    current: { path: `${currentChat}/webhooks/{webhookId}/suspend`, permission: 'TeamMessaging' },
    section: 'Chat webhooks',
    summary: 'Suspends a chat webhook',
    authorization: 'bearer',
    group: 'Medium',
    status: 200,
  },
  postToChat: {
    method: 'POST',
    path: '/webhook/v2/{webhookKey}',
    aliases: ['/webhook/{webhookKey}'],
    section: 'Chat webhooks',
    summary: 'Posts to the group of a chat webhook; the address is the credential',
    authorization: 'none',
    bodyBytes: chatRequestBytes,
    body: ChatPost,
    status: 200,
  },
} as const satisfies Record<string, Operation>;
