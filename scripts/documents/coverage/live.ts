import type { OperationId } from '../../../src/contract/operations.ts';
import { flag, itself, type OperationReach } from './reach.ts';

/** Subscriptions, their transports and chat webhooks. */
export const live = {
  createSubscription: {
    commands: ['subscribe create', 'subscribe tail', 'webhook listen'],
    parameters: {
      eventFilters: flag('subscribe create --events'),
      deliveryMode: flag('subscribe create --transport'),
      expiresIn: flag('subscribe create --expires-in'),
    },
  },
  listSubscriptions: { commands: ['subscribe list'] },
  readSubscription: { commands: ['subscribe show'] },
  updateSubscription: {
    commands: ['subscribe update'],
    parameters: {
      eventFilters: flag('subscribe update --events'),
      expiresIn: flag('subscribe update --expires-in'),
    },
  },
  renewSubscription: { commands: ['subscribe renew'] },
  deleteSubscription: { commands: ['subscribe delete'] },
  createWebSocketToken: { commands: ['subscribe tail'] },
  readChannel: {
    commands: ['subscribe tail'],
    parameters: { tt: itself('the last position in the channel') },
  },
  readChannelTime: { commands: [], apiOnly: 'ucctl reads the channel again without this request' },
  leaveChannel: { commands: [], apiOnly: 'ucctl deletes the subscription instead' },
  createChatWebhook: { commands: ['webhook create'] },
  listGroupChatWebhooks: { commands: ['webhook list'] },
  listChatWebhooks: { commands: ['webhook list'] },
  readChatWebhook: { commands: [], apiOnly: 'webhook list shows every webhook' },
  deleteChatWebhook: { commands: ['webhook delete'] },
  activateChatWebhook: { commands: ['webhook activate'] },
  suspendChatWebhook: { commands: ['webhook suspend'] },
  postToChat: {
    commands: ['webhook post'],
    parameters: {
      icon: flag('webhook post --icon'),
      title: flag('webhook post --title'),
      body: flag('webhook post --body'),
      attachments: flag('webhook post --file'),
    },
  },
} satisfies Partial<Record<OperationId, OperationReach>>;
