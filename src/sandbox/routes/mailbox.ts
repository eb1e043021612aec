import { unserved } from '../unserved.ts';

export const mailboxRoutes = {
  sendPager: unserved,
  sendFax: unserved,
  updateMessage: unserved,
  patchMessage: unserved,
  deleteMessage: unserved,
  deleteMessages: unserved,
  readMessageContent: unserved,
  syncMessages: unserved,
  readGreetingContent: unserved,
  readProfileImageContent: unserved,
};
