import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import { storeStatusRows } from './store.rows.ts';

export const storeStatus = defineCommand<object>({
  path: ['store', 'status'],
  summary: 'Show the server, version, roles and size of the store',
  options: {},
  examples: [{ comment: 'Show the store of the profile', command: 'ucctl store status' }],
  output: record(storeStatusRows),
  exitCodes: { 12: 'ucctl cannot reach the server, or the store is not initialized' },
  load: () => import('./status.ts').then((m) => m.status),
});
