import { resourcePlanOutput } from '../../features/resource-plan/plan-document.rows.ts';
import { defineCommand } from '../../runtime/define.ts';
import { ruleFileOptions, ruleFileText } from './options.command.ts';
import type { RulePlanOptions } from './plan.ts';

export const rulePlan = defineCommand<RulePlanOptions>({
  path: ['rule', 'plan'],
  summary: 'Show the changes that a file of answering rules would make',
  description:
    'Compares a file with the current answering rules. Makes no changes. With --plan-out, ucctl saves the plan for ucctl rule apply.',
  details: ruleFileText,
  options: {
    ...ruleFileOptions,
    planOut: {
      type: 'string',
      value: 'FILE',
      summary: 'File to save the plan in, for ucctl rule apply',
      writes: 'plan.json',
    },
  },
  argumentFlags: ['file'],
  examples: [{ comment: 'Compare a file with the service', command: 'ucctl rule plan -f rules.yaml' }],
  permissions: ['ReadAccounts'],
  dialect: 'current',
  rateGroup: 'Medium',
  output: resourcePlanOutput,
  exitCodes: {
    2: 'the file has unknown names or settings',
    10: 'the plan has changes (--detailed-exitcode)',
  },
  load: () => import('./plan.ts').then((m) => m.planRules),
});
