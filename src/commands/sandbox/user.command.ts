import { defineCommand } from '../../runtime/define.ts';
import type { SandboxUserOptions } from './user.ts';
import { notRunning, readyFileOption } from './options.command.ts';

export const sandboxUser = defineCommand<SandboxUserOptions>({
  path: ['sandbox', 'user'],
  summary: 'Disable, enable or delete a user of a sandbox, or change the password',
  description:
    'Each of these but enable ends all sessions of the user. A disabled user keeps mailbox, numbers and queues, but has no subscriptions and takes no calls; a deleted user leaves only records in the call log. ' +
    'The main administrator and the operator of the account cannot be disabled or deleted.',
  options: {
    action: {
      type: 'string',
      positional: true,
      required: true,
      choices: ['set-password', 'disable', 'enable', 'delete'],
      summary: 'Action to perform',
    },
    who: {
      type: 'string',
      positional: true,
      required: true,
      summary: 'Extension number, id or e-mail address',
    },
    passwordStdin: { type: 'boolean', summary: 'set-password: read the password from standard input' },
    readyFile: readyFileOption,
  },
  examples: [
    { comment: 'All sessions end at once', command: 'ucctl sandbox user set-password 102' },
    { comment: 'An agent leaves the company', command: 'ucctl sandbox user delete 103' },
  ],
  jsonFields: ['extensionId', 'status', 'endedSessions', 'endedSubscriptions', 'queues', 'messages'],
  exitCodes: {
    3: 'the user is not found',
    11: 'the user already has this status, or cannot be removed',
    ...notRunning,
  },
  load: () => import('./user.ts').then((m) => m.sandboxUserCommand),
});
