import type { NounSpec } from '../../runtime/define.ts';
import {
  completionInstall,
  completionScript,
  completionUninstall,
  completionValues,
} from './completion.command.ts';

export const completionNoun: NounSpec = {
  name: 'completion',
  summary: 'Install tab completion for bash, zsh, fish and PowerShell',
  section: 'Account and setup',
  commands: [completionInstall, completionUninstall, completionScript, completionValues],
};
