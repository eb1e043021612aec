import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import { trimRows } from './retention.rows.ts';
import type { TrimOptions } from './trim.ts';

export const storeTrim = defineCommand<TrimOptions>({
  path: ['store', 'trim'],
  summary: 'Delete old changes that all readers of the change feed have read',
  description:
    'Deletes changes that are older than --older-than, up to the first change that a known reader has not read. Does not delete messages. If the position of a reader is before the deleted changes, feed_advance reports an error.',
  details: 'Readers record their position with the function feed_advance(name, tx, change_id).',
  options: {
    olderThan: {
      type: 'string',
      value: 'AGE',
      default: '30d',
      summary: 'Age of the changes to delete, such as 30d, 6w or 1y',
    },
    forget: {
      type: 'list',
      value: 'READER,...',
      summary: 'Readers that no longer exist; ucctl may delete changes that they have not read',
    },
  },
  examples: [
    { comment: 'Show how many changes would be deleted', command: 'ucctl store trim --dry-run' },
    {
      comment: 'Delete changes older than a week, including changes that a removed reader had not read',
      command: 'ucctl store trim --older-than 7d --forget old-report --yes',
    },
  ],
  mutates: true,
  dryRunPrints: 'output',
  effect: 'deletes',
  output: record(trimRows),
  exitCodes: {
    3: 'reader not found',
    9: 'confirmation is required',
    12: 'ucctl cannot use the store, or the store needs a migration (ucctl store migrate)',
  },
  load: () => import('./trim.ts').then((m) => m.trim),
});
