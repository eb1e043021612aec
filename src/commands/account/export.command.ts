import { defineCommand } from '../../runtime/define.ts';
import type { AccountExportOptions } from './export.ts';
import { exportedFilesOutput } from './export.rows.ts';
import { folderOption } from './options.command.ts';

export const accountExport = defineCommand<AccountExportOptions>({
  path: ['account', 'export'],
  summary: 'Export queues, people, hours and rules as files',
  description:
    'Writes queues.yaml, people.yaml, hours.yaml and rules.yaml, which the plan and apply commands of queue, agent, hours and rule read. ' +
    'ucctl replaces an earlier export, unless you have edited its files.',
  details:
    'The files name extensions by ID, so they stay valid after numbers or names have changed. Hours and rules are those of the company and the queues; ' +
    'with --personal also those of each person, which takes two requests for each. Nothing applies a whole folder at once: plan and apply its files one by one.',
  options: {
    folder: { ...folderOption, summary: 'Folder to write; created if it does not exist' },
    only: {
      type: 'list',
      value: 'PART,...',
      choices: ['queues', 'people', 'hours', 'rules'],
      summary: 'Parts to export; all by default',
    },
    personal: { type: 'boolean', summary: 'Include the hours and rules of people' },
    clobber: {
      type: 'boolean',
      summary: 'Overwrite edited files, and write into a folder with other content',
    },
  },
  examples: [
    { comment: 'Export the account into a repository', command: 'ucctl account export company' },
    {
      comment: 'Export queues and people only',
      command: 'ucctl account export company --only queues,people',
    },
  ],
  permissions: ['ReadAccounts'],
  dialect: 'current',
  rateGroup: 'Medium',
  output: exportedFilesOutput,
  exitCodes: { 11: 'the folder has other content, or edited files' },
  load: () => import('./export.ts').then((m) => m.exportAccount),
});
