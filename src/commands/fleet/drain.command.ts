import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { DrainOptions } from './drain.ts';
import { drainedRows } from './fleet.rows.ts';

export const fleetDrain = defineCommand<DrainOptions>({
  path: ['fleet', 'drain'],
  summary: 'Ask workers to finish their tasks and exit',
  description:
    'A drained worker claims no more tasks, finishes its current tasks and exits with 0. Drain the workers of a machine before you upgrade the machine.',
  options: {
    workers: {
      type: 'list',
      positional: true,
      value: 'WORKER...',
      summary: 'Names of workers, as in fleet status; default: all',
    },
  },
  examples: [{ comment: 'Drain all workers', command: 'ucctl fleet drain' }],
  output: list(drainedRows),
  exitCodes: {
    3: 'a worker was not found, and no worker is drained',
    12: 'ucctl cannot use the store, or the store needs a migration (ucctl store migrate)',
  },
  load: () => import('./drain.ts').then((m) => m.drain),
});
