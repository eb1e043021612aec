import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { windowOptions } from '../../runtime/window-options.ts';
import { batchRows } from './batch.rows.ts';
import type { SmsBatchesOptions } from './batches.ts';

export const smsBatches = defineCommand<SmsBatchesOptions>({
  path: ['sms', 'batches'],
  summary: 'List batches of high-volume texts',
  description: 'Shows batches that ucctl sms send --high-volume and other programs sent from this account.',
  options: {
    ...windowOptions,
    from: { type: 'string', value: 'NUMBER', summary: 'Show only batches from this number' },
    limit: { type: 'integer', short: 'L', value: 'N', min: 1, summary: 'Maximum number of batches' },
  },
  examples: [{ comment: "List today's batches", command: 'ucctl sms batches --since today' }],
  permissions: ['A2PSMS'],
  dialect: 'current',
  rateGroup: 'Light',
  output: list(batchRows),
  watch: true,
  load: () => import('./batches.ts').then((m) => m.listBatches),
});
