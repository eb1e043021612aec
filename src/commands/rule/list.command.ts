import { list } from '../../runtime/output-schema.ts';
import { defineCommand } from '../../runtime/define.ts';
import { extensionsOption } from './options.command.ts';
import type { RuleListOptions } from './read-rules.ts';
import { ruleRows } from './rule.rows.ts';

export const ruleList = defineCommand<RuleListOptions>({
  path: ['rule', 'list'],
  summary: 'List the answering rules of extensions',
  options: { extensions: extensionsOption },
  examples: [{ comment: 'List the answering rules of a person', command: 'ucctl rule list 102' }],
  permissions: ['ReadAccounts'],
  dialect: 'current',
  rateGroup: 'Medium',
  output: list(ruleRows),
  exitCodes: { 3: 'extension not found' },
  load: () => import('./list.ts').then((m) => m.listRules),
});
