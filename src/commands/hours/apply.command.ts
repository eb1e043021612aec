import { resourceOutput } from '../../features/resource-plan/resource.rows.ts';
import { defineCommand } from '../../runtime/define.ts';
import type { HoursApplyOptions } from './apply.ts';
import { hoursFileText, yamlFileOptions, yamlRunOptions } from './options.command.ts';

export const hoursApply = defineCommand<HoursApplyOptions>({
  path: ['hours', 'apply'],
  summary: 'Apply a file of business hours or a saved plan',
  description:
    'Shows the changes, asks for confirmation, sends one request for each owner, and verifies the result. ' +
    'Use --resume to resume an interrupted run and ucctl history undo to undo a finished run.',
  details:
    `${hoursFileText} ucctl applies a saved plan only if the hours have not changed since you created the plan. ` +
    'Otherwise, the error lists the changes and, if you may read the audit trail, the users who made them.',
  options: { ...yamlFileOptions, ...yamlRunOptions },
  argumentFlags: ['file'],
  examples: [{ comment: 'Apply a file', command: 'ucctl hours apply -f hours.yaml' }],
  permissions: ['ReadAccounts', 'EditExtensions'],
  dialect: 'current',
  rateGroup: 'Medium',
  mutates: true,
  dryRunPrints: 'requests',
  output: resourceOutput,
  exitCodes: {
    2: 'the file has invalid hours or unknown names',
    8: 'some changes failed or were skipped',
    9: 'the changes exceed a safety limit, or you did not confirm them',
    10: 'the plan has changes (--detailed-exitcode)',
    11: 'the plan is outdated, or another run is in progress',
    14: 'the outcome of some changes is unknown',
  },
  load: () => import('./apply.ts').then((m) => m.applyHours),
});
