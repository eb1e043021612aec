import type { NounSpec } from '../../runtime/define.ts';
import { policyTest } from './test.command.ts';

export const policyNoun: NounSpec = {
  name: 'policy',
  summary: 'Test which numbers the profile may call and text',
  section: 'Account and setup',
  commands: [policyTest],
};
