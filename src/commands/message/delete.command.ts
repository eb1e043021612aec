import { defineCommand } from '../../runtime/define.ts';
import type { MessageDeleteOptions } from './delete.ts';
import { changeCommand, removalExitCodes, whichOptions } from './options.command.ts';

export const messageDelete = defineCommand<MessageDeleteOptions>({
  path: ['message', 'delete'],
  summary: 'Delete messages, by id or by filter',
  description:
    'A deleted message can be brought back for some days (ucctl message restore), then it is purged. What is deleted already is left alone. Ids or a filter are needed: there is no command for a whole mailbox.',
  options: whichOptions,
  examples: [
    { comment: 'Two at once', command: 'ucctl message delete 4711 4712' },
    { comment: 'Faxes older than a month', command: 'ucctl message delete --type Fax --before 30d' },
  ],
  permissions: ['EditMessages', 'ReadMessages'],
  ...changeCommand,
  exitCodes: removalExitCodes,
  load: () => import('./delete.ts').then((m) => m.deleteMessages),
});
