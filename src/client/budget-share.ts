import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { BudgetShare } from './rate-budget.ts';

/** The file whose time says until when the database beside it may hold news. Reading that costs one system call. */
export function newsFile(folder: string): string {
  return join(folder, 'rate-limits.near');
}

/**
 * Shares budgets between the processes of one user through `folder`. `owner` is whose budgets they are: the service and the signed-in user.
 * The database is opened only when a limit is near or was hit.
 */
export function shareBudgets(folder: string, owner: string): BudgetShare {
  let opened: ReturnType<BudgetShare['open']> | undefined;
  return {
    hasNews: (now) => (statSync(newsFile(folder), { throwIfNoEntry: false })?.mtimeMs ?? 0) > now,
    open: () =>
      (opened ??= import('./shared-budget.ts').then(({ openSharedBudget }) =>
        openSharedBudget(folder, owner),
      )),
  };
}
