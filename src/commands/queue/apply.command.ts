import { bulkOptions } from '../../runtime/bulk-options.ts';
import { defineCommand } from '../../runtime/define.ts';
import type { QueueApplyOptions } from './apply.ts';
import { badRowsText, listText, planOptions } from './plan-options.command.ts';
import { assignmentOutput } from './assignment.rows.ts';

export const queueApply = defineCommand<QueueApplyOptions>({
  path: ['queue', 'apply'],
  summary: 'Apply a list or a saved plan to the queues',
  description:
    'Shows the changes, asks for confirmation, sends as few requests as possible, and reads the agents back after each request. ' +
    'Use --resume to resume an interrupted run and ucctl history undo to undo a finished one.',
  details:
    `Every change is recorded in a journal before it is sent. ${listText} ${badRowsText} ` +
    'A saved plan is applied unchanged, within the safety limits that it was made with and those of this command; the stricter limit applies.',
  options: { ...planOptions, ...bulkOptions },
  examples: [
    { comment: 'Apply the desired state of some queues', command: 'ucctl queue apply -f queues.yaml' },
    { comment: 'Apply a reviewed plan', command: 'ucctl queue apply -f plan.json --yes' },
    { comment: 'Resume the run after a crash', command: 'ucctl queue apply --resume last' },
  ],
  permissions: ['ReadAccounts', 'EditExtensions'],
  currentPermissions: ['ReadAccounts', 'EditAccounts'],
  rateGroup: 'Heavy',
  mutates: true,
  output: assignmentOutput,
  exitCodes: {
    2: 'the list has invalid rows, unknown or ambiguous names, or contradictions',
    8: 'some changes were not made, or rows were skipped (--skip-invalid)',
    9: 'the changes exceed a safety limit, or were not confirmed',
    10: 'there are changes, made or planned (--detailed-exitcode)',
    11: 'the plan is stale, or another run is in progress',
    14: 'the outcome of some changes is unknown',
  },
  load: () => import('./apply.ts').then((m) => m.applyQueues),
});
