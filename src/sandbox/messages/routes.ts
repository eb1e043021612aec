import type { Routes } from '../request/call.ts';
import { deleteMailbox, deleteMessage, patchMessage, updateMessage } from './change-routes.ts';
import { listMessages, readMessage } from './read-routes.ts';
import { sendSms } from './sms-routes.ts';
import { syncMessages } from './sync-routes.ts';

/** Routes of the message store and of texts. */
export const messageRoutes = {
  sendSms,
  listMessages,
  readMessage,
  updateMessage,
  patchMessage,
  deleteMessage,
  deleteMessages: deleteMailbox,
  syncMessages,
} satisfies Routes;
