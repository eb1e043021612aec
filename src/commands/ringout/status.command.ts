import { ringOutRows } from '../../features/ringout/state.rows.ts';
import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { RingOutIdOptions } from './status.ts';

export const ringoutStatus = defineCommand<RingOutIdOptions>({
  path: ['ringout', 'status'],
  summary: 'Show the status of a RingOut call',
  description:
    'Some time after the end of a call, the service deletes its status. Both legs then have the status NoSessionFound.',
  options: {
    id: {
      type: 'string',
      positional: true,
      required: true,
      value: 'ID',
      summary: 'ID of the call; ucctl ringout start and ucctl outcome list show it',
    },
  },
  examples: [{ comment: 'Show the status as JSON', command: 'ucctl ringout status 17 -o json' }],
  permissions: ['RingOut'],
  rateGroup: 'Light',
  output: record(ringOutRows),
  exitCodes: { 3: 'call not found' },
  watch: true,
  load: () => import('./status.ts').then((m) => m.showRingOut),
});
