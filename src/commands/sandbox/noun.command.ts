import type { NounSpec } from '../../runtime/define.ts';
import { sandboxEnv } from './env.command.ts';
import { sandboxStart } from './start.command.ts';

export const sandboxNoun: NounSpec = {
  name: 'sandbox',
  summary: 'The whole service on your own machine, without an account',
  section: 'Account and setup',
  commands: [sandboxStart, sandboxEnv],
};
