import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { SandboxUserOptions } from './user.ts';
import { notRunning, readyFileOption, whoOption } from './options.command.ts';
import { userRows } from './user.rows.ts';

export const sandboxUser = defineCommand<SandboxUserOptions>({
  path: ['sandbox', 'user'],
  summary: "Disable, enable or delete a sandbox user, or change the user's password",
  description:
    'set-password, disable and delete end all sessions of the user. You cannot disable or delete the main administrator or the account operator.',
  details:
    'A disabled user retains the mailbox, numbers and queues, but loses all subscriptions and receives no calls. A deleted user remains only in call log records.',
  options: {
    action: {
      type: 'string',
      positional: true,
      required: true,
      choices: ['set-password', 'disable', 'enable', 'delete'],
      summary: 'Action to perform',
    },
    who: whoOption,
    passwordStdin: { type: 'boolean', summary: 'Read the new password from standard input (set-password)' },
    readyFile: readyFileOption,
  },
  examples: [
    { comment: 'Change a password and end all sessions', command: 'ucctl sandbox user set-password 102' },
    { comment: 'Remove an agent who leaves the company', command: 'ucctl sandbox user delete 103' },
  ],
  output: record(userRows),
  exitCodes: {
    3: 'user not found',
    11: 'the user already has this status, cannot be removed, or cannot sign in',
    ...notRunning,
  },
  load: () => import('./user.ts').then((m) => m.sandboxUserCommand),
});
