import type { NounSpec } from '../../runtime/define.ts';
import { ringoutCallerIds } from './caller-ids.command.ts';
import { ringoutCancel } from './cancel.command.ts';
import { ringoutNumbers } from './numbers.command.ts';
import { ringoutStart } from './start.command.ts';
import { ringoutStatus } from './status.command.ts';

export const ringoutNoun: NounSpec = {
  name: 'ringout',
  summary: 'RingOut calls: your phone rings first, then the other phone',
  section: 'Calls',
  commands: [ringoutStart, ringoutStatus, ringoutCancel, ringoutNumbers, ringoutCallerIds],
};
