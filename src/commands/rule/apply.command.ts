import { resourceOutput } from '../../features/resource-plan/resource.rows.ts';
import { defineCommand } from '../../runtime/define.ts';
import type { RuleApplyOptions } from './apply.ts';
import { readOnlyText, ruleFileOptions, ruleFileText, ruleRunOptions } from './options.command.ts';

export const ruleApply = defineCommand<RuleApplyOptions>({
  path: ['rule', 'apply'],
  summary: 'Apply a file of answering rules or a saved plan',
  description:
    'Shows the changes, asks for confirmation, sends one request for each rule, and verifies the result. ' +
    'Use --resume to resume an interrupted run and ucctl history undo to undo a finished run; the undo disables rules that the run created.',
  details: `${ruleFileText} ${readOnlyText}`,
  options: { ...ruleFileOptions, ...ruleRunOptions },
  argumentFlags: ['file'],
  examples: [{ comment: 'Apply a file of answering rules', command: 'ucctl rule apply -f rules.yaml' }],
  permissions: ['ReadAccounts', 'EditExtensions'],
  dialect: 'current',
  rateGroup: 'Medium',
  mutates: true,
  dryRunPrints: 'requests',
  output: resourceOutput,
  exitCodes: {
    2: 'the file has unknown names or settings',
    8: 'some changes failed or were skipped',
    9: 'the rules are read-only, the changes exceed a safety limit, or you did not confirm the changes',
    10: 'the plan has changes (--detailed-exitcode)',
    11: 'the plan is outdated, or another run is in progress',
    14: 'the outcome of some changes is unknown',
  },
  load: () => import('./apply.ts').then((m) => m.applyRules),
});
