import type { NounSpec } from '../../runtime/define.ts';
import { configGet, configList, configPath, configSet, configUnset } from './config.command.ts';

export const configNoun: NounSpec = {
  name: 'config',
  summary: 'Settings of a profile, and where each value comes from',
  section: 'Account and setup',
  commands: [configList, configGet, configSet, configUnset, configPath],
  outputs: async () => (await import('./outputs.command.ts')).configOutputs,
};
