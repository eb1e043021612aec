import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { expiredRows } from './retention.rows.ts';

export const storeExpire = defineCommand<object>({
  path: ['store', 'expire'],
  summary: 'Delete messages and calls that are past their retention period',
  description:
    'Deletes calls, and messages with their older versions and attachments, in one transaction for each type. ' +
    'Does not delete data under a legal hold. Later syncs do not copy the deleted data again.',
  details:
    'ucctl shows the data to delete and asks for confirmation. Run the command with --yes from a scheduler, for example daily. Each run adds a line to the audit log for each rule. The data on the service, earlier exports and backups do not change.',
  options: {},
  examples: [
    { comment: 'Show the data that would be deleted', command: 'ucctl store expire --dry-run' },
    { comment: 'Delete the expired data in a scheduled job', command: 'ucctl store expire --yes' },
  ],
  mutates: true,
  dryRunPrints: 'output',
  effect: 'deletes',
  output: list(expiredRows),
  exitCodes: {
    9: 'confirmation is required',
    12: 'ucctl cannot use the store, or the store needs a migration (ucctl store migrate)',
  },
  load: () => import('./expire.ts').then((m) => m.expire),
});
