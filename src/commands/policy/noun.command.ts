import type { NounSpec } from '../../runtime/define.ts';
import { policyTest } from './test.command.ts';

export const policyNoun: NounSpec = {
  name: 'policy',
  summary: 'What this profile may call, text and change',
  section: 'Account and setup',
  commands: [policyTest],
  outputs: async () => (await import('./outputs.command.ts')).policyOutputs,
};
