import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { StoreCheckOptions } from './check.ts';
import { storeFindingRows } from './store.rows.ts';

export const storeCheck = defineCommand<StoreCheckOptions>({
  path: ['store', 'check'],
  summary: "Check the store's connection, tables, permissions and settings",
  description:
    'Lists each check with its result and a fix. It compares tables, views, functions and indexes with those that this version creates, and the clock of this machine with that of the server.',
  options: {},
  examples: [{ comment: 'Before the first machine uses the store', command: 'ucctl store check' }],
  output: list(storeFindingRows),
  exitCodes: { 12: 'a check failed' },
  load: () => import('./check.ts').then((m) => m.check),
});
