import { unserved } from '../unserved.ts';

export const chatRoutes = {
  createChatWebhook: unserved,
  listGroupChatWebhooks: unserved,
  listChatWebhooks: unserved,
  readChatWebhook: unserved,
  deleteChatWebhook: unserved,
  activateChatWebhook: unserved,
  suspendChatWebhook: unserved,
  postToChat: unserved,
};
