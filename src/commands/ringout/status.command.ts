import { defineCommand } from '../../runtime/define.ts';
import type { RingOutIdOptions } from './status.ts';

export const ringoutStatus = defineCommand<RingOutIdOptions>({
  path: ['ringout', 'status'],
  summary: 'Show how a two-legged call stands',
  description:
    'A call that has been over for some time is not known any more: its sides are then NoSessionFound.',
  options: {
    id: { type: 'string', positional: true, required: true, value: 'ID', summary: 'Id of the call' },
  },
  examples: [{ comment: 'As JSON', command: 'ucctl ringout status 17 -o json' }],
  permissions: ['the service'],
  rateGroup: 'Light',
  jsonFields: ['id', 'callStatus', 'callerStatus', 'calleeStatus', 'explanation', 'time', 'uri'],
  exitCodes: { 3: 'there is no such call' },
  watch: true,
  load: () => import('./status.ts').then((m) => m.showRingOut),
});
