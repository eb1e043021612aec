import { defineCommand } from '../../runtime/define.ts';
import type { MessageDeleteOptions } from './delete.ts';
import { changeCommand, removalExitCodes, whichOptions } from './options.command.ts';

export const messagePurge = defineCommand<MessageDeleteOptions>({
  path: ['message', 'purge'],
  summary: 'Purge messages for good, by id or by filter',
  description:
    'Purging cannot be undone, and erases the attachments at once. Ids or a filter are needed: there is no command for a whole mailbox.',
  options: whichOptions,
  examples: [
    { comment: 'Two at once', command: 'ucctl message purge 4711 4712' },
    { comment: 'Faxes older than a month', command: 'ucctl message purge --type Fax --before 30d' },
  ],
  permissions: ['EditMessages', 'ReadMessages'],
  ...changeCommand,
  exitCodes: removalExitCodes,
  load: () => import('./delete.ts').then((m) => m.purgeMessages),
});
