import { ringOutRows } from '../../features/ringout/state.rows.ts';
import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { RingOutIdOptions } from './status.ts';

export const ringoutCancel = defineCommand<RingOutIdOptions>({
  path: ['ringout', 'cancel'],
  summary: 'Cancel a RingOut call that the other party has not answered',
  options: {
    id: { type: 'string', positional: true, required: true, value: 'ID', summary: 'ID of the call' },
  },
  examples: [{ comment: 'Cancel a call by its ID', command: 'ucctl ringout cancel 17' }],
  permissions: ['RingOut'],
  rateGroup: 'Heavy',
  mutates: true,
  output: record(ringOutRows),
  exitCodes: { 3: 'call not found', 11: 'the other party has answered, or the call has ended' },
  load: () => import('./cancel.ts').then((m) => m.cancelRingOut),
});
