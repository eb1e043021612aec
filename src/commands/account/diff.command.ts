import { defineCommand } from '../../runtime/define.ts';
import type { AccountDiffOptions } from './diff.ts';
import { accountDiffOutput } from './diff.rows.ts';
import { folderOption } from './options.command.ts';

export const accountDiff = defineCommand<AccountDiffOptions>({
  path: ['account', 'diff'],
  summary: 'Compare an exported account with the current account',
  description:
    'Shows settings and agents that differ, and items that are only in the folder or only in the account. Makes no changes. To change the account to match a file, start with the plan command that the output shows.',
  details:
    'ucctl compares only the files in the folder. If the export contains hours and rules of people, ucctl compares these too. No plan deletes queues, people or rules that only the account has.',
  options: {
    folder: { ...folderOption, summary: 'Folder that ucctl account export wrote' },
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
    2: 'the folder does not contain an exported account, an exported file is missing, or a file has errors',
    10: 'there are differences (--detailed-exitcode)',
    11: 'the folder was exported from a different service',
  },
  load: () => import('./diff.ts').then((m) => m.diffAccount),
});
