import type { OperationId } from '../../../src/contract/operations.ts';
import { apiOnly, flag, itself, media, paging, type OperationReach } from './reach.ts';

/** Numbers, messages and mailboxes. */
export const messages = {
  listPhoneNumbers: { commands: ['sms numbers'], parameters: paging },
  listForwardingNumbers: { commands: ['ringout numbers'], parameters: paging },
  sendSms: {
    commands: ['sms send'],
    parameters: {
      from: flag('sms send --from'),
      to: flag('sms send --to'),
      text: flag('sms send TEXT'),
      country: apiOnly('the commands send numbers with a country code'),
    },
  },
  listMessages: {
    commands: ['message list', 'sms list', 'fax list', 'voicemail list'],
    parameters: {
      ...paging,
      availability: flag('message list --availability'),
      conversationId: flag('message list --conversation'),
      dateFrom: flag('message list --since'),
      dateTo: flag('message list --until'),
      direction: flag('message list --direction'),
      distinctConversations: flag('message list --distinct'),
      messageType: flag('message list --type'),
      readStatus: flag('message list --unread'),
      phoneNumber: flag('message list --phone'),
      owner: apiOnly('the commands list the messages of one mailbox'),
      voicemailOwner: apiOnly('the commands list the messages of one mailbox'),
      ownerExtensionType: apiOnly('the commands list the messages of one mailbox'),
    },
  },
  readMessage: {
    commands: ['message show', 'fax status'],
    parameters: { availability: flag('message show --availability') },
  },
  sendPager: {
    commands: ['pager send', 'pager reply'],
    parameters: {
      from: itself('the signed-in user'),
      to: flag('pager send --to'),
      text: flag('pager send TEXT'),
      replyOn: flag('pager reply MESSAGE'),
    },
  },
  sendFax: { commands: ['fax send', 'fax resend'] },
  updateMessage: {
    commands: ['message read', 'message unread'],
    parameters: { readStatus: flag('message read IDS') },
  },
  patchMessage: {
    commands: ['message restore'],
    parameters: {
      availability: flag('message restore IDS'),
      readStatus: apiOnly('message read and message unread use PUT instead'),
    },
  },
  deleteMessage: {
    commands: ['message delete', 'message purge'],
    parameters: { purge: flag('message purge IDS'), type: flag('message delete --type') },
  },
  deleteMessages: {
    commands: ['message delete', 'message purge'],
    parameters: {
      conversationId: flag('message delete --conversation'),
      dateTo: flag('message delete --before'),
      type: flag('message delete --type'),
      purge: flag('message purge --conversation'),
      owner: apiOnly('the commands delete the messages of one mailbox'),
    },
  },
  readMessageContent: { commands: ['download', 'sync'], parameters: media },
  syncMessages: {
    commands: ['sync'],
    parameters: {
      syncType: flag('sync --full'),
      syncToken: itself('stored in the local copy'),
      messageType: flag('sync --type'),
      direction: flag('sync --direction'),
      conversationId: apiOnly('the local copy contains all conversations'),
      distinctConversations: apiOnly('the local copy contains all messages'),
      owner: itself('always Any in dialect current'),
      voicemailOwner: itself('always Any in dialect current'),
      ownerExtensionType: apiOnly('the local copy contains the messages of all owners'),
      dateFrom: flag('sync --since'),
      dateTo: apiOnly('a sync always includes the newest messages'),
      recordCount: flag('sync --max-records'),
    },
  },
  createMessageReport: {
    commands: ['message report'],
    parameters: {
      dateFrom: flag('message report --since'),
      dateTo: flag('message report --until'),
      messageTypes: flag('message report --type'),
    },
  },
  readMessageReport: { commands: ['message report'] },
  listMessageReportFiles: { commands: ['message report'] },
  readMessageReportFile: { commands: ['download'], parameters: media },
  createSmsBatch: {
    commands: ['sms send'],
    parameters: {
      from: flag('sms send --from'),
      messages: flag('sms send --file'),
      text: itself('each message has its own text, created from the template'),
    },
  },
  listSmsBatches: {
    commands: ['sms batches', 'outcome resolve'],
    parameters: {
      dateFrom: flag('sms batches --since'),
      dateTo: flag('sms batches --until'),
      from: flag('sms batches --from'),
      status: apiOnly('use --jq to filter the list'),
      pageToken: itself('ucctl reads all pages'),
      perPage: itself('the maximum'),
    },
  },
  readSmsBatch: { commands: ['sms batch'] },
  listSmsBatchMessages: {
    commands: ['sms batch', 'outcome resolve'],
    parameters: {
      batchId: flag('sms batch BATCH'),
      direction: apiOnly('a batch contains outbound texts only'),
      dateFrom: apiOnly('all texts of a batch have the same time'),
      dateTo: apiOnly('all texts of a batch have the same time'),
      phoneNumber: apiOnly('use --jq to filter the list'),
      view: itself('Detailed if ucctl compares texts'),
      pageToken: itself('ucctl reads all pages'),
      perPage: itself('the maximum'),
    },
  },
} satisfies Partial<Record<OperationId, OperationReach>>;
