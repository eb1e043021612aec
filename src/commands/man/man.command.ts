import { dryRunOption } from '../../runtime/dry-run-option.ts';
import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import { manRows } from './man.rows.ts';
import type { ManOptions } from './options.ts';

const dir = {
  type: 'string',
  value: 'DIR',
  summary: 'Folder of manual pages; by default man in your data folder (~/.local/share/man)',
} as const;

export const manInstall = defineCommand<ManOptions>({
  path: ['man', 'install'],
  summary: 'Install the manual pages',
  description:
    'Copies the manual pages to a folder that man searches, so that "man ucctl" and "man ucctl-queue" work. ' +
    'The Debian package and "npm install --global" install the pages themselves, and this command leaves those pages unchanged. ' +
    'Run the command again after an upgrade.',
  options: { dir, dryRun: dryRunOption },
  examples: [
    { comment: 'Install for this user', command: 'ucctl man install' },
    {
      comment: 'Install the pages of the executable for all users, as root',
      command: 'ucctl man install --dir /usr/local/share/man',
    },
  ],
  output: record(manRows),
  load: () => import('./install.ts').then((m) => m.installMan),
});

export const manUninstall = defineCommand<ManOptions>({
  path: ['man', 'uninstall'],
  summary: 'Remove the manual pages',
  description: 'Removes the pages that "ucctl man install" copied, and no other files.',
  options: { dir, dryRun: dryRunOption },
  examples: [{ comment: 'Remove the pages for this user', command: 'ucctl man uninstall' }],
  output: record(manRows),
  load: () => import('./install.ts').then((m) => m.uninstallMan),
});
