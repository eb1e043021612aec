import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { SandboxTokenOptions } from './token.ts';
import { notRunning, readyFileOption } from './options.command.ts';
import { tokenRows } from './user.rows.ts';

export const sandboxToken = defineCommand<SandboxTokenOptions>({
  path: ['sandbox', 'token'],
  summary: 'Revoke the session of a token, or all sessions of a user',
  options: {
    action: { type: 'string', positional: true, required: true, choices: ['revoke'], summary: 'Action' },
    user: { type: 'string', summary: 'Extension number, ID or e-mail address' },
    tokenStdin: { type: 'boolean', summary: 'Read the token from standard input' },
    readyFile: readyFileOption,
  },
  examples: [{ comment: 'Sign a user out everywhere', command: 'ucctl sandbox token revoke --user 102' }],
  output: record(tokenRows),
  exitCodes: notRunning,
  load: () => import('./token.ts').then((m) => m.sandboxTokenCommand),
});
