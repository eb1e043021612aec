import { defineCommand } from '../../runtime/define.ts';
import { list, resource } from '../../runtime/output-schema.ts';
import type { InitOptions } from './init.ts';

export const initCommand = defineCommand<InitOptions>({
  path: ['init'],
  summary: 'Set up a profile and sign in',
  description:
    'Asks for missing settings, signs in, and lists the call queues. The command does not change existing settings, so you can run it again. ' +
    'In scripts, use ucctl login instead.',
  details:
    'You choose between a sign-in in the browser and a sign-in with an assertion (JWT), for which ucctl asks as ucctl login --flow jwt does. If UCCTL_ASSERTION is set, ucctl uses its assertion. In a sandbox of dialect spec, ucctl asks for the password of the user in UCCTL_SANDBOX_USERNAME.',
  options: {},
  examples: [
    { comment: 'Get started', command: 'ucctl init' },
    {
      comment: 'Set up another account',
      command: 'ucctl init -p prod --base-url https://platform.example.com',
    },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: list(resource('Extension')),
  exitCodes: { 9: 'cannot ask for input: there is no terminal' },
  load: () => import('./init.ts').then((m) => m.initialize),
});
