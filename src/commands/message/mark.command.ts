import { defineCommand } from '../../runtime/define.ts';
import type { MessageIdsOptions } from './mark.ts';
import { changeCommand, idsOption, unknownExitCode } from './options.command.ts';

const ids = { ...idsOption, required: true } as const;
const common = {
  permissions: ['EditMessages'],
  ...changeCommand,
  exitCodes: { 3: 'there is no such message', 8: 'some were changed, some were not', ...unknownExitCode },
} as const;

export const messageRead = defineCommand<MessageIdsOptions>({
  path: ['message', 'read'],
  summary: 'Mark messages as read',
  options: { ids },
  examples: [{ comment: 'Two at once', command: 'ucctl message read 4711 4712' }],
  ...common,
  load: () => import('./mark.ts').then((m) => m.markRead),
});

export const messageUnread = defineCommand<MessageIdsOptions>({
  path: ['message', 'unread'],
  summary: 'Mark messages as unread',
  options: { ids },
  examples: [{ comment: 'One', command: 'ucctl message unread 4711' }],
  ...common,
  load: () => import('./mark.ts').then((m) => m.markUnread),
});
