import { defineCommand } from '../../runtime/define.ts';
import type { MessageDeleteOptions } from './delete.ts';

export const messagePurge = defineCommand<MessageDeleteOptions>({
  path: ['message', 'purge'],
  summary: 'Purge messages for good, by id or by filter',
  description:
    'Purging cannot be undone, and erases the attachments at once. Ids or a filter are needed: there is no command for a whole mailbox.',
  options: {
    ids: { type: 'list', positional: true, value: 'ID...', summary: 'Ids of messages' },
    conversation: {
      type: 'list',
      value: 'ID',
      summary: 'All messages of these conversations instead of ids',
    },
    type: {
      type: 'string',
      choices: ['SMS', 'Fax', 'VoiceMail', 'Pager'],
      value: 'TYPE',
      summary: 'All messages of this type instead of ids',
      conflicts: ['conversation'],
    },
    before: {
      type: 'string',
      value: 'TIME',
      summary: 'Only messages older than this, instead of ids: 30d, a date',
    },
  },
  examples: [
    { comment: 'Two at once', command: 'ucctl message purge 4711 4712' },
    { comment: 'Faxes older than a month', command: 'ucctl message purge --type Fax --before 30d' },
  ],
  permissions: ['EditMessages', 'ReadMessages'],
  rateGroup: 'Medium',
  mutates: true,
  jsonFields: ['id', 'result', 'reason'],
  exitCodes: {
    3: 'there is no such message',
    8: 'some were done, some were not',
    14: 'no answer came, and what became of them could not be seen',
  },
  load: () => import('./delete.ts').then((m) => m.purgeMessages),
});
