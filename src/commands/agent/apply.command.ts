import { resourceOutput } from '../../features/resource-plan/resource.rows.ts';
import { defineCommand } from '../../runtime/define.ts';
import { resourceFileOptions, resourceRunOptions } from '../../runtime/resource-options.ts';
import type { AgentApplyOptions } from './apply.ts';
import { peopleListText, removeEmptyOption } from './plan.command.ts';

export const agentApply = defineCommand<AgentApplyOptions>({
  path: ['agent', 'apply'],
  summary: 'Apply a list of people or a saved plan',
  description:
    'Shows the changes, asks for confirmation, changes up to 500 people with one request, and verifies the result. ' +
    'Use --resume to resume an interrupted run and ucctl history undo to undo a finished run.',
  details:
    `Every change is recorded in a journal before it is sent. ${peopleListText} ` +
    'The service changes people in a task, and the command waits for the task. If the service rejects changes to some people, it still changes the other people. ' +
    'ucctl applies a saved plan only if the people have not changed since you created the plan. Otherwise, the error lists the changes and, if you may read the audit trail, the users who made them.',
  options: { ...resourceFileOptions, removeEmpty: removeEmptyOption, ...resourceRunOptions },
  argumentFlags: ['file'],
  examples: [
    { comment: 'Apply a list', command: 'ucctl agent apply -f people.csv --results done.csv' },
    { comment: 'Resume an interrupted run', command: 'ucctl agent apply --resume last' },
  ],
  permissions: ['ReadAccounts', 'EditExtensions'],
  dialect: 'current',
  rateGroup: 'Heavy',
  mutates: true,
  dryRunPrints: 'requests',
  output: resourceOutput,
  exitCodes: {
    2: 'the list has invalid rows, or unknown or ambiguous names',
    8: 'some people were not changed',
    9: 'the changes exceed a safety limit, or you did not confirm them',
    10: 'the plan has changes (--detailed-exitcode)',
    11: 'the plan is outdated, or another run is in progress',
    14: 'the outcome of some changes is unknown',
  },
  load: () => import('./apply.ts').then((m) => m.applyPeople),
});
