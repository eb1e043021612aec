import { defineCommand } from '../../runtime/define.ts';
import { copyOptions } from '../../runtime/copy-options.ts';
import type { SyncVerifyOptions } from './verify.ts';
import { list } from '../../runtime/output-schema.ts';
import { checkRows } from './verify.rows.ts';

export const syncVerify = defineCommand<SyncVerifyOptions>({
  path: ['sync', 'verify'],
  summary: 'Check the local mailbox copy and compare it with the service',
  description:
    'Checks the database, the full-text index and the hash of every attachment. ' +
    'Then ucctl compares a random sample of messages (with --whole, all messages) with the service. ' +
    'Messages that changed since the last sync count as differences, so run ucctl sync first.',
  options: {
    sample: {
      type: 'integer',
      min: 0,
      default: 20,
      summary: 'Number of messages to compare; 0 sends no requests',
    },
    whole: {
      type: 'boolean',
      summary: 'Compare every message; reads all mailboxes again without storing messages',
    },
    ...copyOptions,
  },
  examples: [
    { comment: 'Sync, then compare every message', command: 'ucctl sync && ucctl sync verify --whole' },
  ],
  permissions: ['ReadMessages'],
  currentPermissions: ['ReadMessages', 'ReadAccounts'],
  rateGroup: 'Light',
  onlyReadsStore: true,
  output: list(checkRows),
  exitCodes: {
    3: 'no local mailbox copy',
    11: 'the local mailbox copy is damaged or differs from the service',
  },
  load: () => import('./verify.ts').then((m) => m.verifyCopy),
});
