import { defineCommand } from '../../runtime/define.ts';
import type { MessageIdsOptions } from './mark.ts';
import { changeCommand, idsOption, unknownExitCode } from './options.command.ts';

const ids = { ...idsOption, required: true } as const;
const common = {
  permissions: ['EditMessages'],
  ...changeCommand,
  exitCodes: { 3: 'message not found', 8: 'some messages were not changed', ...unknownExitCode },
} as const;

export const messageRead = defineCommand<MessageIdsOptions>({
  path: ['message', 'read'],
  summary: 'Mark messages as read',
  options: { ids },
  examples: [{ comment: 'Mark two messages as read', command: 'ucctl message read 4711 4712' }],
  ...common,
  load: () => import('./mark.ts').then((m) => m.markRead),
});

export const messageUnread = defineCommand<MessageIdsOptions>({
  path: ['message', 'unread'],
  summary: 'Mark messages as unread',
  options: { ids },
  examples: [{ comment: 'Mark a message as unread', command: 'ucctl message unread 4711' }],
  ...common,
  load: () => import('./mark.ts').then((m) => m.markUnread),
});
