import { defineCommand } from '../../runtime/define.ts';
import type { ManOptions } from './options.ts';

const dir = {
  type: 'string',
  value: 'DIR',
  summary: 'Folder of manual pages; by default man in the data folder of this user, ~/.local/share/man',
} as const;
const installed = ['folder', 'pages', 'action'] as const;

export const manInstall = defineCommand<ManOptions>({
  path: ['man', 'install'],
  summary: 'Install the manual pages',
  description:
    'Copies the manual pages into a folder that the man command searches, so that "man ucctl" and "man ucctl-queue" work. npm does not install manual pages. ' +
    'Run it again after an upgrade.',
  options: { dir },
  examples: [
    { comment: 'For this user', command: 'ucctl man install' },
    { comment: 'For all users, as root', command: 'ucctl man install --dir /usr/local/share/man' },
  ],
  jsonFields: installed,
  load: () => import('./install.ts').then((m) => m.installMan),
});

export const manUninstall = defineCommand<ManOptions>({
  path: ['man', 'uninstall'],
  summary: 'Remove the manual pages',
  description: 'Removes the pages that "ucctl man install" copied. Other files in the folder stay.',
  options: { dir },
  examples: [{ comment: 'For this user', command: 'ucctl man uninstall' }],
  jsonFields: installed,
  load: () => import('./install.ts').then((m) => m.uninstallMan),
});
