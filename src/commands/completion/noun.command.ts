import type { NounSpec } from '../../runtime/define.ts';
import {
  completionInstall,
  completionScript,
  completionUninstall,
  completionValues,
} from './completion.command.ts';

export const completionNoun: NounSpec = {
  name: 'completion',
  summary: 'Completion in bash, zsh, fish and PowerShell',
  section: 'Account and setup',
  commands: [completionInstall, completionUninstall, completionScript, completionValues],
  outputs: async () => (await import('./outputs.command.ts')).completionOutputs,
};
