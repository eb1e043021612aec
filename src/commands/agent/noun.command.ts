import type { NounSpec } from '../../runtime/define.ts';
import { agentApply } from './apply.command.ts';
import { agentExport } from './export.command.ts';
import { agentAvailability } from './availability.command.ts';
import { agentList } from './list.command.ts';
import { agentPlan } from './plan.command.ts';
import { agentShow } from './show.command.ts';

export const agentNoun: NounSpec = {
  name: 'agent',
  summary: 'List agents of call queues, and change many people at once',
  section: 'Phones and people',
  commands: [agentList, agentShow, agentAvailability, agentExport, agentPlan, agentApply],
};
