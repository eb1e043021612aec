import { bulkOptions } from '../../runtime/bulk-options.ts';
import { defineCommand } from '../../runtime/define.ts';
import type { QueueApplyOptions } from './apply.ts';
import { badRowsText, listText, wishOptions } from './wish-options.command.ts';
import { assignmentOutput } from './assignment.rows.ts';

export const queueApply = defineCommand<QueueApplyOptions>({
  path: ['queue', 'apply'],
  summary: 'Make the queues as a list or a saved plan says',
  description:
    'Shows the difference, asks, sends as few requests as it can, and reads the agents back after each of them. Every change is in a journal before it is sent: ' +
    `a run that was interrupted is resumed with --resume, a finished one is undone with history undo. ${listText} ${badRowsText} ` +
    'A saved plan is applied as it is, within the safety limits that it was made with and those of this command: the stricter holds.',
  options: { ...wishOptions, ...bulkOptions },
  examples: [
    { comment: 'The wanted state of some queues', command: 'ucctl queue apply -f queues.yaml' },
    { comment: 'A plan that someone has looked at', command: 'ucctl queue apply -f plan.json --yes' },
    { comment: 'Resume after a crash', command: 'ucctl queue apply --resume last' },
  ],
  permissions: ['ReadAccounts', 'EditExtensions'],
  rateGroup: 'Heavy',
  mutates: true,
  output: assignmentOutput,
  exitCodes: {
    3: 'a queue or an agent does not exist',
    8: 'some changes were made, some were not',
    9: 'it exceeds a safety limit, or it was not confirmed',
    10: 'something is to change, or was changed (--detailed-exitcode)',
    11: 'the plan is stale, or another run is at work',
    14: 'it is not known whether some changes were made',
  },
  load: () => import('./apply.ts').then((m) => m.applyQueues),
});
