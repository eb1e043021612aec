import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { RingOutCallerIdsOptions } from './caller-ids.ts';
import { callerIdRows } from './number.rows.ts';

export const ringoutCallerIds = defineCommand<RingOutCallerIdsOptions>({
  path: ['ringout', 'caller-ids'],
  summary: 'List your numbers that the called person can see',
  options: {},
  examples: [{ comment: 'List the numbers for --caller-id', command: 'ucctl ringout caller-ids' }],
  permissions: ['ReadAccounts'],
  rateGroup: 'Light',
  output: list(callerIdRows),
  load: () => import('./caller-ids.ts').then((m) => m.listCallerIds),
});
