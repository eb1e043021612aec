import { defineCommand } from '../../runtime/define.ts';
import { copyOptions } from '../../runtime/copy-options.ts';
import type { SyncVerifyOptions } from './verify.ts';

export const syncVerify = defineCommand<SyncVerifyOptions>({
  path: ['sync', 'verify'],
  summary: 'Check the copy, and compare it with the service',
  description:
    'Checks the database, its full text and the hash of every attachment, then compares with the service: a random sample, or all with --whole. ' +
    'What changed at the service since the last sync counts as different: sync first.',
  options: {
    sample: {
      type: 'integer',
      min: 0,
      default: 20,
      summary: 'Messages compared one by one; 0 asks the service nothing',
    },
    whole: { type: 'boolean', summary: 'Compare every message: reads the mailboxes in full, keeps nothing' },
    ...copyOptions,
  },
  examples: [{ comment: 'Everything, after a sync', command: 'ucctl sync && ucctl sync verify --whole' }],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  jsonFields: ['check', 'checked', 'wrong', 'details'],
  exitCodes: { 3: 'nothing is copied yet', 11: 'the copy is damaged or differs' },
  load: () => import('./verify.ts').then((m) => m.verifyCopy),
});
