import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import { storeStatusRows } from './store.rows.ts';

export const storeStatus = defineCommand<object>({
  path: ['store', 'status'],
  summary: 'Show the server, version, roles and size of the store',
  options: {},
  examples: [{ comment: 'Show the store of the profile', command: 'ucctl store status' }],
  output: record(storeStatusRows),
  exitCodes: {
    12: 'ucctl cannot reach the server, the store is not initialized, or its tables differ from this version of ucctl',
  },
  load: () => import('./status.ts').then((m) => m.status),
});
