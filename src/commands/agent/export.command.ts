import { defineCommand } from '../../runtime/define.ts';
import type { AgentExportOptions } from './export.ts';
import { exportOutput } from './export.rows.ts';

export const agentExport = defineCommand<AgentExportOptions>({
  path: ['agent', 'export'],
  summary: 'Export the settings of people as a list',
  description:
    'Writes names, numbers, e-mail addresses, status, contact details and sites as a list for ucctl agent plan and ucctl agent apply. ' +
    'The list is YAML by default; with -o csv, the list has a row for each person.',
  details: 'The agent column contains IDs, so the list stays valid after numbers or names change.',
  defaultFormat: 'yaml',
  options: {
    agents: { type: 'list', positional: true, value: 'AGENT', summary: 'People to export; all by default' },
  },
  examples: [
    { comment: 'Export all people for a spreadsheet', command: 'ucctl agent export -o csv > everyone.csv' },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: exportOutput,
  exitCodes: { 3: 'person not found' },
  load: () => import('./export.ts').then((m) => m.exportPeople),
});
