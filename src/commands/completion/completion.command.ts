import { defineCommand } from '../../runtime/define.ts';
import type { CompletionShellOptions, CompletionValuesOptions } from './options.ts';

const shell = {
  type: 'string',
  positional: true,
  choices: ['bash', 'zsh', 'fish', 'powershell'],
  summary: 'bash, zsh, fish or powershell; the one of this login without it',
} as const;
const installed = ['shell', 'script', 'startFile', 'action'] as const;

export const completionInstall = defineCommand<CompletionShellOptions>({
  path: ['completion', 'install'],
  summary: 'Set up completion in a shell',
  description:
    'Writes the script of the shell into your data folder, and two marked lines that load it into the start file of the shell; fish finds its ' +
    'script by itself. What is set up already is left as it is.',
  options: { shell },
  examples: [
    { comment: 'For the shell of this login', command: 'ucctl completion install' },
    { comment: 'For fish', command: 'ucctl completion install fish' },
  ],
  jsonFields: installed,
  load: () => import('./install.ts').then((m) => m.installCompletion),
});

export const completionUninstall = defineCommand<CompletionShellOptions>({
  path: ['completion', 'uninstall'],
  summary: 'Take back what completion install did',
  options: { shell },
  examples: [{ comment: 'Out of ~/.zshrc again', command: 'ucctl completion uninstall zsh' }],
  jsonFields: installed,
  load: () => import('./install.ts').then((m) => m.uninstallCompletion),
});

export const completionScript = defineCommand<CompletionShellOptions>({
  path: ['completion', 'script'],
  summary: 'Print the script of a shell',
  options: { shell },
  examples: [
    { comment: 'In this bash only', command: 'source <(ucctl completion script bash)' },
    {
      comment: 'For all users, as root',
      command: 'ucctl completion script zsh > /usr/share/zsh/site-functions/_ucctl',
    },
  ],
  jsonFields: ['shell', 'script'],
  load: () => import('./script.ts').then((m) => m.printScript),
});

export const completionValues = defineCommand<CompletionValuesOptions>({
  path: ['completion', 'values'],
  summary: 'List the queues, people and subscriptions that completion offers',
  description:
    'They are kept in the cache folder, for each profile, whenever queue list, agent list or subscribe list has run to its end; a Tab itself ' +
    'never asks the service. Signing out forgets them.',
  options: {
    refresh: { type: 'boolean', summary: 'Ask the service for all of them first' },
    clear: { type: 'boolean', summary: 'Forget them instead', conflicts: ['refresh'] },
  },
  examples: [
    { comment: 'Learn all of them now', command: 'ucctl completion values --refresh' },
    { comment: 'Forget them', command: 'ucctl completion values --clear' },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  jsonFields: ['kind', 'value', 'about'],
  load: () => import('./values.ts').then((m) => m.listValues),
});
