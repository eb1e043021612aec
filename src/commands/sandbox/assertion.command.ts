import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { SandboxAssertionOptions } from './assertion.ts';
import { notRunning, readyFileOption, whoOption } from './options.command.ts';
import { assertionRows } from './user.rows.ts';

export const sandboxAssertion = defineCommand<SandboxAssertionOptions>({
  path: ['sandbox', 'assertion'],
  summary: 'Print a signed assertion (JWT) to sign in as a user',
  description:
    'Every app of the sandbox that has a client secret can use the assertion. It expires after 5 minutes of the sandbox clock. Pipe it into `ucctl login --flow jwt --assertion-stdin`.',
  options: {
    who: whoOption,
    readyFile: readyFileOption,
  },
  examples: [
    {
      comment: 'Sign in as the administrator, without a password or a browser',
      command: 'ucctl sandbox assertion 100 | ucctl login --flow jwt --assertion-stdin --store file',
    },
  ],
  printsText: true,
  output: record(assertionRows),
  exitCodes: { 3: 'user not found', 11: 'the user cannot sign in', ...notRunning },
  load: () => import('./assertion.ts').then((m) => m.sandboxAssertionCommand),
});
