import type { NounSpec } from '../../runtime/define.ts';
import { manInstall, manUninstall } from './man.command.ts';

export const manNoun: NounSpec = {
  name: 'man',
  summary: 'Install the manual pages',
  section: 'Account and setup',
  commands: [manInstall, manUninstall],
};
