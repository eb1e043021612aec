import { bulkOptions } from '../../runtime/bulk-options.ts';
import { defineCommand } from '../../runtime/define.ts';
import type { QueueAssignOptions, QueueUnassignOptions } from './assign.ts';
import { badRowsText, listText, wishOptions } from './wish-options.command.ts';
import { assignmentOutput } from './assignment.rows.ts';

const exitCodes = {
  3: 'a queue or an agent does not exist',
  8: 'some changes were made, some were not',
  9: 'it exceeds a safety limit, or it was not confirmed',
  10: 'something is to change, or was changed (--detailed-exitcode)',
  11: 'the members changed meanwhile, or another run is at work',
  14: 'it is not known whether some changes were made',
};
export const queueAssign = defineCommand<QueueAssignOptions>({
  path: ['queue', 'assign'],
  summary: 'Add agents to call queues and remove them',
  description:
    'Reads the present agents, shows what will change, asks, sends as few requests as it can, and reads the agents back to see that it is so. ' +
    `What is so already is left alone. With --file it is the same as queue apply. ${listText} ${badRowsText}`,
  options: {
    queue: {
      type: 'string',
      value: 'QUEUE',
      summary: 'The queue, by id, extension number or name',
      conflicts: ['file'],
    },
    add: { type: 'list', value: 'AGENT,...', summary: 'Agents to add, by id, extension number or e-mail' },
    remove: { type: 'list', value: 'AGENT,...', summary: 'Agents to remove' },
    ...wishOptions,
    ...bulkOptions,
  },
  examples: [
    {
      comment: 'Two agents in, one out',
      command: 'ucctl queue assign --queue Support --add 101,102 --remove 103',
    },
    {
      comment: 'From a file, seeing first what it would do',
      command: 'ucctl queue assign -f agents.csv --dry-run',
    },
  ],
  permissions: ['ReadAccounts', 'EditExtensions'],
  rateGroup: 'Heavy',
  mutates: true,
  output: assignmentOutput,
  exitCodes,
  load: () => import('./assign.ts').then((m) => m.assignAgents),
});

export const queueUnassign = defineCommand<QueueUnassignOptions>({
  path: ['queue', 'unassign'],
  summary: 'Remove agents from a call queue',
  options: {
    queue: {
      type: 'string',
      positional: true,
      required: true,
      value: 'QUEUE',
      summary: 'The queue, by id, extension number or name',
    },
    agents: {
      type: 'list',
      positional: true,
      value: 'AGENT',
      summary: 'Agents to remove, by id, extension number or e-mail',
    },
    maxRemovals: wishOptions.maxRemovals,
    allowEmpty: wishOptions.allowEmpty,
    protect: wishOptions.protect,
    detailedExitcode: wishOptions.detailedExitcode,
    results: bulkOptions.results,
  },
  examples: [{ comment: 'Two of them', command: 'ucctl queue unassign Support 101 102' }],
  permissions: ['ReadAccounts', 'EditExtensions'],
  rateGroup: 'Heavy',
  mutates: true,
  output: assignmentOutput,
  exitCodes,
  load: () => import('./assign.ts').then((m) => m.unassignAgents),
});
