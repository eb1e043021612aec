import type { NounSpec } from '../../runtime/define.ts';
import { ringoutCancel } from './cancel.command.ts';
import { ringoutNumbers } from './numbers.command.ts';
import { ringoutStart } from './start.command.ts';
import { ringoutStatus } from './status.command.ts';

export const ringoutNoun: NounSpec = {
  name: 'ringout',
  summary: 'Two-legged calls: your telephone rings, then the other one',
  section: 'Calls',
  commands: [ringoutStart, ringoutStatus, ringoutCancel, ringoutNumbers],
  outputs: async () => (await import('./outputs.command.ts')).ringoutOutputs,
};
