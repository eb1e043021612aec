import { defineCommand } from '../../runtime/define.ts';
import { dryRunOption } from '../../runtime/dry-run-option.ts';
import { list, record } from '../../runtime/output-schema.ts';
import { installRows, scriptRows, valueRows } from './completion.rows.ts';
import type { CompletionInstallOptions, CompletionShellOptions, CompletionValuesOptions } from './options.ts';

const shell = {
  type: 'string',
  positional: true,
  choices: ['bash', 'zsh', 'fish', 'powershell'],
  summary: 'Shell; default: your login shell',
} as const;

export const completionInstall = defineCommand<CompletionInstallOptions>({
  path: ['completion', 'install'],
  summary: 'Install tab completion in a shell',
  description:
    'Writes the completion script to your data folder and adds two marked lines to the startup file of the shell. The lines ' +
    'load the script. fish does not need these lines. If completion is already installed, nothing changes.',
  options: { shell, dryRun: dryRunOption },
  examples: [
    { comment: 'Install tab completion for your login shell', command: 'ucctl completion install' },
    { comment: 'Install tab completion for fish', command: 'ucctl completion install fish' },
  ],
  output: record(installRows),
  load: () => import('./install.ts').then((m) => m.installCompletion),
});

export const completionUninstall = defineCommand<CompletionInstallOptions>({
  path: ['completion', 'uninstall'],
  summary: 'Remove tab completion from a shell',
  options: { shell, dryRun: dryRunOption },
  examples: [{ comment: 'Remove tab completion from ~/.zshrc', command: 'ucctl completion uninstall zsh' }],
  output: record(installRows),
  load: () => import('./install.ts').then((m) => m.uninstallCompletion),
});

export const completionScript = defineCommand<CompletionShellOptions>({
  path: ['completion', 'script'],
  summary: 'Print the completion script for a shell',
  options: { shell },
  examples: [
    {
      comment: 'Load completion only in this bash session',
      command: 'source <(ucctl completion script bash)',
    },
    {
      comment: 'Install completion for all users, as root',
      command: 'ucctl completion script zsh > /usr/share/zsh/site-functions/_ucctl',
    },
  ],
  printsText: true,
  output: record(scriptRows),
  load: () => import('./script.ts').then((m) => m.printScript),
});

export const completionValues = defineCommand<CompletionValuesOptions>({
  path: ['completion', 'values'],
  summary: 'List the queues, people and subscriptions that completion suggests',
  description:
    'Completion reads these values from the cache folder. The commands "ucctl queue list", "ucctl agent list" and "ucctl subscribe list" update the cache of the profile, and "ucctl logout" clears it. If the cache has no queues or people, completion fetches them in the background.',
  options: {
    refresh: { type: 'boolean', summary: 'Fetch all values from the service first' },
    clear: { type: 'boolean', summary: 'Delete the cached values', conflicts: ['refresh'] },
  },
  examples: [
    { comment: 'Fetch all values now', command: 'ucctl completion values --refresh' },
    { comment: 'Delete the cached values', command: 'ucctl completion values --clear' },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: list(valueRows),
  load: () => import('./values.ts').then((m) => m.listValues),
});
