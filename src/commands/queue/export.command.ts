import { defineCommand } from '../../runtime/define.ts';
import type { QueueExportOptions } from './export.ts';
import { exportOutput } from './export.rows.ts';

export const queueExport = defineCommand<QueueExportOptions>({
  path: ['queue', 'export'],
  summary: 'Write who is in which queue, as a list that plan and apply read',
  description:
    'YAML unless -o says otherwise: the state of the queues, which queue plan -f and queue apply -f read again. With -o csv a row for each agent and queue; ' +
    'with --matrix -o csv a row for each agent and a column for each queue, to be edited in a spreadsheet; both are read again too, with --exact.',
  defaultFormat: 'yaml',
  defaultFormatUnless: 'matrix',
  options: {
    queues: {
      type: 'list',
      positional: true,
      value: 'QUEUE',
      summary: 'Only these; all when none is named',
    },
    matrix: { type: 'boolean', summary: 'Agents down, queues across' },
  },
  examples: [
    {
      comment: 'The state of all queues, to keep and to edit',
      command: 'ucctl queue export > queues.yaml',
    },
    {
      comment: 'Who is in what, for a spreadsheet',
      command: 'ucctl queue export --matrix -o csv > matrix.csv',
    },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: exportOutput,
  exitCodes: { 3: 'there is no such queue' },
  load: () => import('./export.ts').then((m) => m.exportQueues),
});
