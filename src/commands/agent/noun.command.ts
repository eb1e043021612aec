import type { NounSpec } from '../../runtime/define.ts';
import { agentAvailability } from './availability.command.ts';
import { agentList } from './list.command.ts';
import { agentShow } from './show.command.ts';

export const agentNoun: NounSpec = {
  name: 'agent',
  summary: 'Agents of call queues',
  section: 'Phones and people',
  commands: [agentList, agentShow, agentAvailability],
};
