import { defineCommand } from '../../runtime/define.ts';
import type { QueueDiffOptions } from './diff.ts';
import { diffOutput } from './diff.rows.ts';
import { planOptions } from './plan-options.command.ts';

export const queueDiff = defineCommand<QueueDiffOptions>({
  path: ['queue', 'diff'],
  summary: 'Show how queues differ from a file',
  description:
    'Compares agents and settings of queues with a file that describes them. For each difference, the output shows the value in the file and the value on the service. Makes no changes.',
  details:
    'The file describes a desired state, such as the output of ucctl queue export --settings. For a check in CI, use ucctl queue plan --exact --detailed-exitcode, which exits with 10 if there are differences.',
  options: {
    file: {
      type: 'string',
      short: 'f',
      required: true,
      value: 'FILE',
      summary: 'Desired state (YAML, CSV or .xlsx); - for standard input',
    },
    map: planOptions.map,
    sheet: planOptions.sheet,
    detailedExitcode: { type: 'boolean', summary: 'Exit with 10 if there are differences' },
  },
  argumentFlags: ['file'],
  examples: [
    { comment: 'Show what has changed since the export', command: 'ucctl queue diff -f queues.yaml' },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: diffOutput,
  exitCodes: {
    2: 'the file has invalid rows, or unknown or ambiguous names',
    10: 'there are differences (--detailed-exitcode)',
  },
  load: () => import('./diff.ts').then((m) => m.diffQueues),
});
