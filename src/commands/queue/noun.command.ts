import type { NounSpec } from '../../runtime/define.ts';
import { queueAssign } from './assign.command.ts';
import { queueList } from './list.command.ts';
import { queueMembers } from './members.command.ts';

export const queueNoun: NounSpec = {
  name: 'queue',
  summary: 'Call queues and their agents',
  section: 'Phones and people',
  commands: [queueList, queueMembers, queueAssign],
};
