import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { statusRows } from './fleet.rows.ts';

export const fleetStatus = defineCommand<object>({
  path: ['fleet', 'status'],
  summary: 'Show tasks, workers and limits of the fleet, with next steps',
  description:
    'A task is due when it waits for a worker, and late when its last success is more than two intervals ago. ' +
    'The count "limited" is the number of rate budgets that allow no request at the moment. The count "fenced" is the number of discarded replies of stalled workers whose tasks another worker had taken over.',
  options: {},
  examples: [
    { comment: 'Show the fleet', command: 'ucctl fleet status' },
    { comment: 'Follow it', command: 'ucctl fleet status --watch' },
  ],
  output: list(statusRows),
  watch: true,
  exitCodes: { 12: 'ucctl cannot use the store, or the store needs a migration (ucctl store migrate)' },
  load: () => import('./status.ts').then((m) => m.status),
});
