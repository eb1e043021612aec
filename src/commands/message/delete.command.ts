import { defineCommand } from '../../runtime/define.ts';
import type { MessageDeleteOptions } from './delete.ts';
import { changeCommand, removalExitCodes, whichOptions } from './options.command.ts';

export const messageDelete = defineCommand<MessageDeleteOptions>({
  path: ['message', 'delete'],
  summary: 'Delete messages, by ID or by filter',
  description:
    'You can restore deleted messages (ucctl message restore) until the service purges them, which happens after some days. ' +
    'ucctl skips messages that are already deleted. The command requires IDs or a filter, so you cannot delete a whole mailbox by accident.',
  options: whichOptions,
  examples: [
    { comment: 'Delete two messages', command: 'ucctl message delete 4711 4712' },
    { comment: 'Delete faxes older than 30 days', command: 'ucctl message delete --type Fax --before 30d' },
  ],
  permissions: ['EditMessages', 'ReadMessages'],
  ...changeCommand,
  effect: 'deletes',
  exitCodes: removalExitCodes,
  load: () => import('./delete.ts').then((m) => m.deleteMessages),
});
