import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { storeFindingRows } from './store.rows.ts';

export const storeCheck = defineCommand<object>({
  path: ['store', 'check'],
  summary: "Check the store's connection, tables, permissions and settings",
  description:
    'Lists the result of each check, and a fix for each problem. ucctl compares the tables, columns, keys, views, functions and indexes with the schema of this version. It also checks the search path of functions that run as the owner, and compares the clock of this machine with the clock of the server.',
  options: {},
  examples: [{ comment: 'Check the store before the first machine uses it', command: 'ucctl store check' }],
  output: list(storeFindingRows),
  exitCodes: { 12: 'a check failed' },
  load: () => import('./check.ts').then((m) => m.check),
});
