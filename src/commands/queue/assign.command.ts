import { bulkOptions } from '../../runtime/bulk-options.ts';
import { defineCommand } from '../../runtime/define.ts';
import { queueOption } from './options.command.ts';
import type { QueueAssignOptions, QueueUnassignOptions } from './assign.ts';
import { badRowsText, listText, planOptions } from './plan-options.command.ts';
import { assignmentOutput } from './assignment.rows.ts';

const exitCodes = {
  3: 'queue or agent in --queue, --add or --remove not found',
  8: 'some changes failed, or ucctl skipped rows (--skip-invalid)',
  9: 'the changes exceed a safety limit, or you did not confirm them',
  10: 'the plan has changes (--detailed-exitcode)',
  11: 'the members have changed since the plan was created, or another run is in progress',
  14: 'the outcome of some changes is unknown',
};
export const queueAssign = defineCommand<QueueAssignOptions>({
  path: ['queue', 'assign'],
  summary: 'Add agents to call queues, or remove agents from call queues',
  description:
    'Shows the changes, asks for confirmation, sends as few requests as possible, and verifies the result of each request. Skips changes that are already in effect. ' +
    'With --file, the command works like ucctl queue apply.',
  details: `${listText} ${badRowsText}`,
  options: {
    queue: {
      type: 'string',
      value: 'QUEUE',
      summary: 'ID, extension number or name of the queue',
      conflicts: ['file'],
      requiredUnless: ['file', 'resume'],
    },
    add: {
      type: 'list',
      value: 'AGENT,...',
      requiredUnless: ['remove', 'file', 'resume'],
      summary: 'Agents to add, by ID, extension number, e-mail or name',
    },
    remove: { type: 'list', value: 'AGENT,...', summary: 'Agents to remove' },
    ...planOptions,
    ...bulkOptions,
  },
  argumentFlags: ['queue', 'add'],
  examples: [
    {
      comment: 'Add two agents and remove another agent',
      command: 'ucctl queue assign --queue Support --add 101,102 --remove 103',
    },
    {
      comment: 'Preview the requests for a list',
      command: 'ucctl queue assign -f agents.csv --dry-run',
    },
  ],
  permissions: ['ReadAccounts', 'EditExtensions'],
  rateGroup: 'Heavy',
  mutates: true,
  dryRunPrints: 'requests',
  output: assignmentOutput,
  exitCodes,
  load: () => import('./assign.ts').then((m) => m.assignAgents),
});

export const queueUnassign = defineCommand<QueueUnassignOptions>({
  path: ['queue', 'unassign'],
  summary: 'Remove agents from a call queue',
  options: {
    queue: queueOption,
    agents: {
      type: 'list',
      positional: true,
      value: 'AGENT',
      requiredUnless: [],
      summary: 'Agents to remove, by ID, extension number, e-mail or name',
    },
    maxRemovals: planOptions.maxRemovals,
    allowEmpty: planOptions.allowEmpty,
    protect: planOptions.protect,
    detailedExitcode: planOptions.detailedExitcode,
    results: bulkOptions.results,
  },
  examples: [{ comment: 'Remove two agents', command: 'ucctl queue unassign Support 101 102' }],
  permissions: ['ReadAccounts', 'EditExtensions'],
  rateGroup: 'Heavy',
  mutates: true,
  dryRunPrints: 'requests',
  output: assignmentOutput,
  exitCodes,
  load: () => import('./assign.ts').then((m) => m.unassignAgents),
});
