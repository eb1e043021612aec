import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import { migrationRows } from './store.rows.ts';

export const storeMigrate = defineCommand<object>({
  path: ['store', 'migrate'],
  summary: "Update the store's tables for this version of ucctl",
  description:
    'Applies the steps that the store lacks, each in one transaction, and restores dropped views. Update ucctl on all machines first: ' +
    'a machine with the previous version stops with store_newer afterwards.',
  details:
    'Run it as the owner of the store. Only one process migrates at a time; others wait ' +
    'and find nothing to do. A step that fails changes nothing, and the next run continues with it.',
  options: {},
  examples: [{ comment: 'After an update of ucctl', command: 'ucctl store migrate' }],
  output: record(migrationRows),
  exitCodes: { 12: 'the store is not initialized, or a newer version of ucctl changed it' },
  load: () => import('./migrate.ts').then((m) => m.migrate),
});
