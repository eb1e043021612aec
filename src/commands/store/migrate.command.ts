import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import { migrationRows } from './store.rows.ts';

export const storeMigrate = defineCommand<object>({
  path: ['store', 'migrate'],
  summary: "Update the store's tables for this version of ucctl",
  description:
    'Applies the missing migration steps, each in one transaction, and restores dropped views. Update ucctl on all machines first: ' +
    'after the migration, previous versions of ucctl stop with the error store_newer.',
  details:
    'Run the command as the owner of the store. Only one process migrates at a time; other processes wait and then have no steps to apply. If a step fails, ucctl rolls it back, and the next run retries it.',
  options: {},
  examples: [{ comment: 'Update the tables after an update of ucctl', command: 'ucctl store migrate' }],
  output: record(migrationRows),
  exitCodes: { 12: 'the store is not initialized, or a newer version of ucctl changed it' },
  load: () => import('./migrate.ts').then((m) => m.migrate),
});
