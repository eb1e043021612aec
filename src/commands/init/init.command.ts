import { defineCommand } from '../../runtime/define.ts';
import { list, resource } from '../../runtime/output-schema.ts';
import type { InitOptions } from './init.ts';

export const initCommand = defineCommand<InitOptions>({
  path: ['init'],
  summary: 'Set up a profile: address, sign-in, a first look',
  description:
    'Asks for what is not known yet, signs in, and lists the call queues. What is set up already is left as it is, so it can be run again. ' +
    'Against the sandbox it signs in by password, elsewhere in the browser. Scripts use login instead.',
  options: {},
  examples: [
    { comment: 'The first thing to do', command: 'ucctl init' },
    {
      comment: 'Another account beside it',
      command: 'ucctl init -p prod --base-url https://platform.example.com',
    },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: list(resource('Extension')),
  exitCodes: { 9: 'nobody could be asked: there is no terminal' },
  load: () => import('./init.ts').then((m) => m.initialize),
});
