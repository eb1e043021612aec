import type { NounSpec } from '../../runtime/define.ts';
import { auditList } from './list.command.ts';

export const auditNoun: NounSpec = {
  name: 'audit',
  summary: 'Show who changed the configuration of the account',
  section: 'Account and setup',
  commands: [auditList],
};
