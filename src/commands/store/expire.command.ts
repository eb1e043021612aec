import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { expiredRows } from './retention.rows.ts';

export const storeExpire = defineCommand<object>({
  path: ['store', 'expire'],
  summary: 'Delete what the retention rules no longer keep',
  description:
    'Deletes messages with their older versions and attachments, and calls, in one transaction for each type. ' +
    'Keeps data under a legal hold. Later syncs do not copy the deleted data again.',
  details:
    'Shows what it deletes and asks for confirmation. Run it with --yes from a scheduler, for example daily. Each run adds a line to the ' +
    'audit log for each rule. The service keeps its data; earlier exports and backups are not changed.',
  options: {},
  examples: [
    { comment: 'Show what would be deleted', command: 'ucctl store expire --dry-run' },
    { comment: 'Delete from a scheduler', command: 'ucctl store expire --yes' },
  ],
  mutates: true,
  effect: 'deletes',
  output: list(expiredRows),
  exitCodes: { 9: 'confirmation is required', 12: 'the store is not usable, or needs store migrate' },
  load: () => import('./expire.ts').then((m) => m.expire),
});
