import type { NounSpec } from '../../runtime/define.ts';
import { accountDiff } from './diff.command.ts';
import { accountExport } from './export.command.ts';

export const accountNoun: NounSpec = {
  name: 'account',
  summary: 'The account as files',
  section: 'Phones and people',
  commands: [accountExport, accountDiff],
};
