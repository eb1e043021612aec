import { defineCommand } from '../../runtime/define.ts';
import type { MessageIdsOptions } from './mark.ts';
import { changeCommand, idsOption, unknownExitCode } from './options.command.ts';

export const messageRestore = defineCommand<MessageIdsOptions>({
  path: ['message', 'restore'],
  summary: 'Bring deleted messages back',
  description: 'A purged message cannot be brought back. A cancelled fax is sent after all.',
  options: {
    ids: { ...idsOption, required: true },
  },
  examples: [{ comment: 'One', command: 'ucctl message restore 4711' }],
  permissions: ['EditMessages'],
  ...changeCommand,
  exitCodes: {
    3: 'there is no such message',
    8: 'some were brought back, some were not',
    ...unknownExitCode,
  },
  load: () => import('./restore.ts').then((m) => m.restoreMessages),
});
