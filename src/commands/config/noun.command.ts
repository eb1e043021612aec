import type { NounSpec } from '../../runtime/define.ts';
import { configGet, configList, configPath, configSet, configUnset } from './config.command.ts';

export const configNoun: NounSpec = {
  name: 'config',
  summary: 'Show and change settings',
  section: 'Account and setup',
  commands: [configList, configGet, configSet, configUnset, configPath],
};
