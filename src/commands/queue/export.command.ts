import { defineCommand } from '../../runtime/define.ts';
import type { QueueExportOptions } from './export.ts';
import { exportOutput } from './export.rows.ts';

export const queueExport = defineCommand<QueueExportOptions>({
  path: ['queue', 'export'],
  summary: 'Export the members of queues as a list',
  description:
    'Writes a YAML list for ucctl queue plan and ucctl queue apply. With -o csv, the list has a row for each agent and queue. ' +
    'With --matrix -o csv, the list has a row for each agent and a column for each queue.',
  details: 'To apply an edited CSV export, use --exact.',
  defaultFormat: 'yaml',
  defaultFormatUnless: 'matrix',
  options: {
    queues: {
      type: 'list',
      positional: true,
      value: 'QUEUE',
      summary: 'Queues to export; default: all',
    },
    settings: {
      type: 'boolean',
      summary: 'Include name, status, service level and alert timer (YAML or JSON; dialect current)',
      conflicts: ['matrix'],
    },
    matrix: { type: 'boolean', summary: 'Write a table with agents as rows and queues as columns' },
  },
  examples: [
    {
      comment: 'Export all queues for an archive or for editing',
      command: 'ucctl queue export > queues.yaml',
    },
    {
      comment: 'Export agents and settings, for ucctl queue plan',
      command: 'ucctl queue export --settings > queues.yaml',
    },
    {
      comment: 'Export a table for a spreadsheet',
      command: 'ucctl queue export --matrix -o csv > matrix.csv',
    },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: exportOutput,
  exitCodes: { 3: 'queue not found' },
  load: () => import('./export.ts').then((m) => m.exportQueues),
});
