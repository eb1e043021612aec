import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { budgetRows } from './fleet.rows.ts';

export const fleetBudget = defineCommand<object>({
  path: ['fleet', 'budget'],
  summary: 'Show the rate budgets that all machines share',
  description:
    'The service limits the requests of each sign-in per minute and usage group. Before a worker claims a task, it reserves a request in the budget.',
  options: {},
  examples: [
    { comment: 'Show the budgets', command: 'ucctl fleet budget' },
    { comment: 'Follow them', command: 'ucctl fleet budget --watch' },
  ],
  output: list(budgetRows),
  watch: true,
  exitCodes: { 12: 'ucctl cannot use the store, or the store needs a migration (ucctl store migrate)' },
  load: () => import('./budget.ts').then((m) => m.budget),
});
