import { defineCommand } from '../../runtime/define.ts';
import type { MessageIdsOptions } from './mark.ts';
import { changeCommand, idsOption, unknownExitCode } from './options.command.ts';

export const messageRestore = defineCommand<MessageIdsOptions>({
  path: ['message', 'restore'],
  summary: 'Restore deleted messages',
  description: 'You cannot restore purged messages. If you restore a canceled fax, the service sends it.',
  options: {
    ids: { ...idsOption, required: true },
  },
  examples: [{ comment: 'Restore a message', command: 'ucctl message restore 4711' }],
  permissions: ['EditMessages'],
  ...changeCommand,
  exitCodes: {
    3: 'message not found',
    8: 'some messages were not restored',
    ...unknownExitCode,
  },
  load: () => import('./restore.ts').then((m) => m.restoreMessages),
});
