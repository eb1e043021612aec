import type { NounSpec } from '../../runtime/define.ts';
import { ruleApply } from './apply.command.ts';
import { ruleExport } from './export.command.ts';
import { ruleList } from './list.command.ts';
import { rulePlan } from './plan.command.ts';

export const ruleNoun: NounSpec = {
  name: 'rule',
  summary: 'Show and change answering rules',
  section: 'Phones and people',
  commands: [ruleList, ruleExport, rulePlan, ruleApply],
};
