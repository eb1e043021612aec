import { defineCommand } from '../../runtime/define.ts';
import { extensionsOption } from './options.command.ts';
import type { RuleListOptions } from './read-rules.ts';
import { rulesOutput } from './rule.rows.ts';

export const ruleExport = defineCommand<RuleListOptions>({
  path: ['rule', 'export'],
  summary: 'Export answering rules as a file',
  description: 'Writes a YAML file for ucctl rule plan and ucctl rule apply.',
  defaultFormat: 'yaml',
  options: {
    extensions: {
      ...extensionsOption,
      summary: 'Export the rules of these extensions; by default, your own rules',
    },
  },
  examples: [{ comment: 'Export the rules of two people', command: 'ucctl rule export 102 103 > two.yaml' }],
  permissions: ['ReadAccounts'],
  dialect: 'current',
  rateGroup: 'Medium',
  output: rulesOutput,
  exitCodes: { 3: 'extension not found' },
  load: () => import('./export.ts').then((m) => m.exportRules),
});
