import { statSync } from 'node:fs';
import { newsFile } from './news-file.ts';
import type { BudgetShare } from './rate-budget.ts';

/**
 * Shares budgets between the processes of one user through `folder`. `owner` says whose budgets they are: the service counts by application and user.
 * It is asked, and the database opened, only when a limit is near or was hit.
 */
export function shareBudgets(folder: string, owner: () => Promise<string>): BudgetShare {
  let opened: ReturnType<BudgetShare['open']> | undefined;
  return {
    hasNews: (now) => (statSync(newsFile(folder), { throwIfNoEntry: false })?.mtimeMs ?? 0) > now,
    open: () => (opened ??= open(folder, owner)),
  };
}

async function open(folder: string, owner: () => Promise<string>): ReturnType<BudgetShare['open']> {
  const [{ openSharedBudget }, who] = await Promise.all([import('./shared-budget.ts'), owner()]);
  return openSharedBudget(folder, who);
}
