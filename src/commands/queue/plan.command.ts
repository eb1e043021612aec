import { defineCommand } from '../../runtime/define.ts';
import type { QueuePlanOptions } from './plan.ts';
import { badRowsText, listText, planOptions } from './plan-options.command.ts';
import { planOutput } from './plan.rows.ts';

export const queuePlan = defineCommand<QueuePlanOptions>({
  path: ['queue', 'plan'],
  summary: 'Show the changes that a list would make',
  description:
    'Compares a list with the current members of its queues and shows which agents it adds, removes and leaves unchanged. Makes no changes. With --plan-out, ucctl saves the plan for ucctl queue apply.',
  details:
    `${listText} ${badRowsText} ` +
    'ucctl saves the safety limits of this command and the skipped rows in the plan. The limits also apply when you apply the plan. To apply a plan with skipped rows, use --skip-invalid again.',
  options: {
    ...planOptions,
    planOut: {
      type: 'string',
      value: 'FILE',
      summary: 'File to save the plan to, for ucctl queue apply',
      writes: 'plan.json',
    },
    detailedExitcode: { type: 'boolean', summary: 'Exit with 10 if the plan has changes' },
  },
  argumentFlags: ['file'],
  examples: [
    { comment: 'Compare the queues with a desired state', command: 'ucctl queue plan -f queues.yaml' },
    {
      comment: 'Save a plan for later',
      command: 'ucctl queue plan -f queues.csv --exact --plan-out plan.json',
    },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: planOutput,
  exitCodes: {
    2: 'the list has invalid rows, unknown or ambiguous names, or contradictory rows',
    8: 'ucctl skipped rows (--skip-invalid)',
    10: 'the plan has changes (--detailed-exitcode)',
  },
  load: () => import('./plan.ts').then((m) => m.planQueues),
});
