import { defineCommand } from '../../runtime/define.ts';
import type { RingOutIdOptions } from './status.ts';

export const ringoutCancel = defineCommand<RingOutIdOptions>({
  path: ['ringout', 'cancel'],
  summary: 'Cancel a two-legged call that the called side has not answered',
  options: {
    id: { type: 'string', positional: true, required: true, value: 'ID', summary: 'Id of the call' },
  },
  examples: [{ comment: 'By its id', command: 'ucctl ringout cancel 17' }],
  permissions: ['the service'],
  rateGroup: 'Heavy',
  mutates: true,
  jsonFields: ['id', 'callStatus', 'callerStatus', 'calleeStatus', 'explanation', 'time', 'uri'],
  exitCodes: { 3: 'there is no such call', 11: 'the called side has answered or the call is over' },
  load: () => import('./cancel.ts').then((m) => m.cancelRingOut),
});
