import type { NounSpec } from '../../runtime/define.ts';
import { accountDiff } from './diff.command.ts';
import { accountExport } from './export.command.ts';

export const accountNoun: NounSpec = {
  name: 'account',
  summary: 'Export the account as files, and compare the files with the account',
  section: 'Phones and people',
  commands: [accountExport, accountDiff],
};
