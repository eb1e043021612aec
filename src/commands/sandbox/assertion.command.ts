import { defineCommand } from '../../runtime/define.ts';
import type { SandboxAssertionOptions } from './assertion.ts';
import { notRunning, readyFileOption } from './options.command.ts';

export const sandboxAssertion = defineCommand<SandboxAssertionOptions>({
  path: ['sandbox', 'assertion'],
  summary: 'Print a signed assertion (JWT) with which a user of a sandbox signs in',
  description:
    'The assertion is valid for 5 minutes of the sandbox clock, at every app of the sandbox that has a secret. Pipe it into login --flow jwt --assertion-stdin.',
  options: {
    who: {
      type: 'string',
      positional: true,
      required: true,
      summary: 'Extension number, id or e-mail address',
    },
    readyFile: readyFileOption,
  },
  examples: [
    {
      comment: 'Sign in as the administrator, without a password or a browser',
      command: 'ucctl sandbox assertion 100 | ucctl login --flow jwt --assertion-stdin --store file',
    },
  ],
  jsonFields: ['assertion', 'extensionId', 'expiresAt'],
  exitCodes: { 3: 'the user is not found', 11: 'the user cannot sign in', ...notRunning },
  load: () => import('./assertion.ts').then((m) => m.sandboxAssertionCommand),
});
