import { defineCommand } from '../../runtime/define.ts';
import type { AccountDiffOptions } from './diff.ts';
import { accountDiffOutput } from './diff.rows.ts';
import { folderOption } from './options.command.ts';

export const accountDiff = defineCommand<AccountDiffOptions>({
  path: ['account', 'diff'],
  summary: 'Compare an exported folder with the account',
  description:
    'Shows each setting and agent that differs, and what only one side has. Makes no changes. To apply the differences of a file, use the plan command that the output names.',
  details:
    'ucctl compares the files that the folder has, with hours and rules of people if the export contains them. No plan deletes queues, people or rules that only the account has.',
  options: {
    folder: { ...folderOption, summary: 'Folder of ucctl account export' },
    detailedExitcode: { type: 'boolean', summary: 'Exit with 10 if there are differences' },
  },
  examples: [
    {
      comment: 'Check in CI whether somebody has changed the account',
      command: 'ucctl account diff company --detailed-exitcode',
    },
  ],
  permissions: ['ReadAccounts'],
  dialect: 'current',
  rateGroup: 'Medium',
  output: accountDiffOutput,
  exitCodes: {
    2: 'the folder is not an exported account, or a file has errors',
    10: 'there are differences (--detailed-exitcode)',
    11: 'the folder was exported from another service',
  },
  load: () => import('./diff.ts').then((m) => m.diffAccount),
});
