import { resourcePlanOutput } from '../../features/resource-plan/plan-document.rows.ts';
import { defineCommand } from '../../runtime/define.ts';
import { hoursFileText, yamlFileOptions } from './options.command.ts';
import type { HoursPlanOptions } from './plan.ts';

export const hoursPlan = defineCommand<HoursPlanOptions>({
  path: ['hours', 'plan'],
  summary: 'Show the changes that a file of business hours would make',
  description:
    'Compares a file with the current business hours. Makes no changes. With --plan-out, ucctl saves the plan for ucctl hours apply.',
  details: hoursFileText,
  options: {
    ...yamlFileOptions,
    planOut: {
      type: 'string',
      value: 'FILE',
      summary: 'File to save the plan in, for ucctl hours apply',
      writes: 'plan.json',
    },
  },
  argumentFlags: ['file'],
  examples: [{ comment: 'Compare a file with the service', command: 'ucctl hours plan -f hours.yaml' }],
  permissions: ['ReadAccounts'],
  dialect: 'current',
  rateGroup: 'Light',
  output: resourcePlanOutput,
  exitCodes: {
    2: 'the file has invalid hours or unknown names',
    10: 'the plan has changes (--detailed-exitcode)',
  },
  load: () => import('./plan.ts').then((m) => m.planHours),
});
