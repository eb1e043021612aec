import { defineCommand } from '../../runtime/define.ts';
import type { SandboxTokenOptions } from './token.ts';
import { notRunning, readyFileOption } from './options.command.ts';

export const sandboxToken = defineCommand<SandboxTokenOptions>({
  path: ['sandbox', 'token'],
  summary: 'End sessions of a sandbox: that of a token, or all of a user',
  options: {
    action: { type: 'string', positional: true, required: true, choices: ['revoke'], summary: 'What to do' },
    user: { type: 'string', summary: 'Extension number, id or e-mail address' },
    tokenStdin: { type: 'boolean', summary: 'Read the token from standard input' },
    readyFile: readyFileOption,
  },
  examples: [
    { comment: 'As if the user had signed out everywhere', command: 'ucctl sandbox token revoke --user 102' },
  ],
  jsonFields: ['endedSessions'],
  exitCodes: notRunning,
  load: () => import('./token.ts').then((m) => m.sandboxTokenCommand),
});
