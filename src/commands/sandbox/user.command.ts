import { defineCommand } from '../../runtime/define.ts';
import type { SandboxUserOptions } from './user.ts';
import { notRunning, readyFileOption } from './options.command.ts';

export const sandboxUser = defineCommand<SandboxUserOptions>({
  path: ['sandbox', 'user'],
  summary: 'Change the password of a user of a sandbox, which ends all sessions of the user',
  options: {
    action: {
      type: 'string',
      positional: true,
      required: true,
      choices: ['set-password'],
      summary: 'What to do',
    },
    who: {
      type: 'string',
      positional: true,
      required: true,
      summary: 'Extension number, id or e-mail address',
    },
    passwordStdin: { type: 'boolean', summary: 'Read the password from standard input' },
    readyFile: readyFileOption,
  },
  examples: [{ comment: 'All sessions end at once', command: 'ucctl sandbox user set-password 102' }],
  jsonFields: ['extensionId', 'endedSessions'],
  exitCodes: notRunning,
  load: () => import('./user.ts').then((m) => m.sandboxUserCommand),
});
