import { bulkOptions } from '../../runtime/bulk-options.ts';
import { defineCommand } from '../../runtime/define.ts';
import type { QueueApplyOptions } from './apply.ts';
import { badRowsText, listText, planOptions } from './plan-options.command.ts';
import { assignmentOutput } from './assignment.rows.ts';

export const queueApply = defineCommand<QueueApplyOptions>({
  path: ['queue', 'apply'],
  summary: 'Apply a list or a saved plan to the queues',
  description:
    'Shows the changes, asks for confirmation, sends as few requests as possible, and verifies the result of each request. ' +
    'Use --resume to resume an interrupted run and ucctl history undo to undo a finished run.',
  details:
    `ucctl records every change in a journal before it sends the request. ${listText} ${badRowsText} ` +
    'ucctl applies a saved plan unchanged, within the safety limits of the plan and of this command; the stricter limit applies. ' +
    'A file with settings and agents makes two runs, first the settings, then the agents: --resume continues with both, and ucctl history undo last undoes both.',
  options: { ...planOptions, ...bulkOptions },
  argumentFlags: ['file'],
  examples: [
    { comment: 'Apply the desired state of queues from a list', command: 'ucctl queue apply -f queues.yaml' },
    { comment: 'Apply a reviewed plan', command: 'ucctl queue apply -f plan.json --yes' },
    { comment: 'Resume an interrupted run', command: 'ucctl queue apply --resume last' },
  ],
  permissions: ['ReadAccounts', 'EditExtensions'],
  currentPermissions: ['ReadAccounts', 'EditAccounts'],
  rateGroup: 'Heavy',
  mutates: true,
  dryRunPrints: 'requests',
  output: assignmentOutput,
  exitCodes: {
    2: 'the list has invalid rows, unknown or ambiguous names, or contradictory rows',
    8: 'some changes failed, or ucctl skipped rows (--skip-invalid)',
    9: 'the changes exceed a safety limit, or you did not confirm them',
    10: 'the plan has changes (--detailed-exitcode)',
    11: 'the plan is outdated, or another run is in progress',
    14: 'the outcome of some changes is unknown',
  },
  load: () => import('./apply.ts').then((m) => m.applyQueues),
});
