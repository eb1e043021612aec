import { defineCommand } from '../../runtime/define.ts';
import type { MessageIdsOptions } from './mark.ts';
import { changeCommand, idsOption } from './options.command.ts';

export const messageRestore = defineCommand<MessageIdsOptions>({
  path: ['message', 'restore'],
  summary: 'Restore deleted messages',
  description:
    'You cannot restore purged messages. If you restore a canceled fax, the service sends it, so ucctl asks for confirmation and applies the policy.',
  options: {
    ids: { ...idsOption, required: true },
  },
  examples: [{ comment: 'Restore a message', command: 'ucctl message restore 4711' }],
  permissions: ['EditMessages', 'ReadMessages'],
  ...changeCommand,
  effect: 'sends',
  exitCodes: {
    3: 'message not found',
    8: 'some messages were not restored',
    14: 'the reply does not include all messages, or no reply: the service may have sent a fax',
  },
  load: () => import('./restore.ts').then((m) => m.restoreMessages),
});
