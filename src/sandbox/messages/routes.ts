import { deleteMailbox, deleteMessage, patchMessage, updateMessage } from './change-routes.ts';
import { readGreetingContent, readMessageContent, readProfileImageContent } from '../media/routes.ts';
import { sendFax } from '../fax/routes.ts';
import { syncMessages } from './sync-routes.ts';
import { sendPager } from '../pager/routes.ts';

export const mailboxRoutes = {
  sendPager,
  sendFax,
  updateMessage,
  patchMessage,
  deleteMessage,
  deleteMessages: deleteMailbox,
  readMessageContent,
  syncMessages,
  readGreetingContent,
  readProfileImageContent,
};
