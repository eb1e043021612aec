import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { BudgetShare } from './rate-budget.ts';

/** The file whose time says until when the database beside it may hold news. Reading that costs one system call. */
export function newsFile(folder: string): string {
  return join(folder, 'rate-limits.near');
}

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
