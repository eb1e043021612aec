import { defineCommand } from '../../runtime/define.ts';
import { hoursOutput } from './hours.rows.ts';
import { ownerOptions } from './options.command.ts';
import type { OwnerOptions } from './owners.ts';

export const hoursExport = defineCommand<OwnerOptions>({
  path: ['hours', 'export'],
  summary: 'Export business hours as a file',
  description: 'Writes a YAML file for ucctl hours plan and ucctl hours apply. Sends one request per owner.',
  defaultFormat: 'yaml',
  options: ownerOptions,
  examples: [
    {
      comment: 'Export the hours of the company and all queues',
      command: 'ucctl hours export company --queues > opening.yaml',
    },
  ],
  permissions: ['ReadAccounts'],
  dialect: 'current',
  rateGroup: 'Light',
  output: hoursOutput,
  exitCodes: { 3: 'extension not found' },
  load: () => import('./export.ts').then((m) => m.exportHours),
});
