import { defineCommand } from '../../runtime/define.ts';
import { queueOption } from './options.command.ts';
import type { QueueShowOptions } from './show.ts';
import { record } from '../../runtime/output-schema.ts';
import { queueDetailRows } from './queue.rows.ts';

export const queueShow = defineCommand<QueueShowOptions>({
  path: ['queue', 'show'],
  summary: 'Show a call queue and its agents',
  options: {
    queue: queueOption,
  },
  examples: [{ comment: 'Show the Support queue', command: 'ucctl queue show Support' }],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: record(queueDetailRows),
  exitCodes: { 3: 'queue not found' },
  watch: true,
  load: () => import('./show.ts').then((m) => m.showQueue),
});
