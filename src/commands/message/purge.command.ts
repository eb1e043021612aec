import { defineCommand } from '../../runtime/define.ts';
import type { MessageDeleteOptions } from './delete.ts';
import { changeCommand, removalExitCodes, whichOptions } from './options.command.ts';

export const messagePurge = defineCommand<MessageDeleteOptions>({
  path: ['message', 'purge'],
  summary: 'Delete messages permanently, by ID or by filter',
  description:
    'Purging cannot be undone and erases attachments immediately. ' +
    'The command requires IDs or a filter, so you cannot purge a whole mailbox by accident.',
  options: whichOptions,
  examples: [
    { comment: 'Purge two messages', command: 'ucctl message purge 4711 4712' },
    { comment: 'Purge faxes older than 30 days', command: 'ucctl message purge --type Fax --before 30d' },
  ],
  permissions: ['EditMessages', 'ReadMessages'],
  ...changeCommand,
  effect: 'deletes',
  exitCodes: removalExitCodes,
  load: () => import('./delete.ts').then((m) => m.purgeMessages),
});
