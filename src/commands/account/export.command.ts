import { defineCommand } from '../../runtime/define.ts';
import type { AccountExportOptions } from './export.ts';
import { exportedFilesOutput } from './export.rows.ts';
import { folderOption } from './options.command.ts';

export const accountExport = defineCommand<AccountExportOptions>({
  path: ['account', 'export'],
  summary: 'Export queues, people, hours and rules as files',
  description:
    'Writes queues.yaml, people.yaml, hours.yaml and rules.yaml. The plan and apply commands of the nouns queue, agent, hours and rule accept these files. ' +
    'ucctl replaces an earlier export, unless you have edited its files.',
  details:
    'The files identify extensions by ID, so they stay valid after numbers or names change. The export contains the hours and rules of the company and the queues. ' +
    '--personal adds the hours and rules of people, with two requests per person. No command applies a whole folder: plan and apply the files one by one.',
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
      summary: 'Overwrite edited files, and write into a folder that contains other files',
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
  exitCodes: {
    11: 'the folder contains other files, an account of another service, or files that you have edited',
    12: 'ucctl cannot create the folder or write the files',
  },
  load: () => import('./export.ts').then((m) => m.exportAccount),
});
