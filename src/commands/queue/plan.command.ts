import { defineCommand } from '../../runtime/define.ts';
import type { QueuePlanOptions } from './plan.ts';
import { listText, wishOptions } from './wish-options.command.ts';
import { planOutput } from './plan.rows.ts';

export const queuePlan = defineCommand<QueuePlanOptions>({
  path: ['queue', 'plan'],
  summary: 'Show what a list of agents would change',
  description:
    `Reads the members of the queues that the list names and shows who would join, leave and stay. Changes nothing. ${listText} ` +
    'Unknown names, agents who cannot take calls and contradictions are listed with the difference and determine the exit code; with --plan-out the plan is saved all the same, ' +
    'and queue apply skips such rows. The safety limits of this command are saved in the plan and hold when it is applied.',
  options: {
    ...wishOptions,
    planOut: { type: 'string', value: 'FILE', summary: 'Save the plan, for queue apply' },
    detailedExitcode: { type: 'boolean', summary: 'End with 10 when there is something to change' },
  },
  examples: [
    { comment: 'What is different from the wanted state?', command: 'ucctl queue plan -f queues.yaml' },
    {
      comment: 'Save it, to be applied exactly so',
      command: 'ucctl queue plan -f queues.csv --exact --plan-out plan.json',
    },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: planOutput,
  exitCodes: {
    2: 'the list cannot be read, contradicts itself, has a name that fits several, or names someone who cannot take calls',
    3: 'a queue or an agent of the list does not exist',
    10: 'there is something to change (--detailed-exitcode)',
  },
  load: () => import('./plan.ts').then((m) => m.planQueues),
});
