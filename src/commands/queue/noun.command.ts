import type { NounSpec } from '../../runtime/define.ts';
import { queueApply } from './apply.command.ts';
import { queueAssign, queueUnassign } from './assign.command.ts';
import { queueAvailability } from './availability.command.ts';
import { queueDiff } from './diff.command.ts';
import { queueExport } from './export.command.ts';
import { queueList } from './list.command.ts';
import { queueMembers } from './members.command.ts';
import { queuePlan } from './plan.command.ts';
import { queueCreate, queueDelete } from './portal.command.ts';
import { queueShow } from './show.command.ts';
import { queueWatch } from './watch.command.ts';

export const queueNoun: NounSpec = {
  name: 'queue',
  summary: 'Call queues and their agents',
  note: 'In dialect current, queue apply creates queues (create: true in the file). Queues can be deleted only in the account portal.',
  section: 'Phones and people',
  commands: [
    queueList,
    queueShow,
    queueMembers,
    queueAvailability,
    queueWatch,
    queueExport,
    queueDiff,
    queuePlan,
    queueApply,
    queueAssign,
    queueUnassign,
    queueCreate,
    queueDelete,
  ],
};
