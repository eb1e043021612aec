import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { receiverRows } from './batch.rows.ts';
import type { SmsBatchOptions } from './batch.ts';

export const smsBatch = defineCommand<SmsBatchOptions>({
  path: ['sms', 'batch'],
  summary: 'Show the status of each text of a batch',
  description:
    'Lists the recipients of a batch of high-volume texts, including those that the service rejected.',
  options: {
    batch: { type: 'string', positional: true, required: true, value: 'BATCH', summary: 'ID of the batch' },
  },
  examples: [{ comment: 'Show the status of each text of batch 1', command: 'ucctl sms batch 1' }],
  permissions: ['A2PSMS'],
  dialect: 'current',
  rateGroup: 'Light',
  output: list(receiverRows),
  exitCodes: { 3: 'batch not found' },
  watch: true,
  load: () => import('./batch.ts').then((m) => m.showBatch),
});
