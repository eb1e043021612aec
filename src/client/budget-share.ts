import { limitsExpiryFile } from './limits-expiry-file.ts';
import type { BudgetShare } from './rate-budget.ts';
import { entryAt } from '../platform/entry-at.ts';

/** Shared budgets whose database stays open between the requests of one run. */
export interface OwnBudgetShare extends BudgetShare {
  /** Closes the database. A later request opens it again. */
  close(): Promise<void>;
}

/**
 * Shares rate-limit budgets between the processes of one user through a database in `folder`. `owner` returns the key
 * of the budgets: the service counts by application and user. `owner` is called, and the database is opened, only when
 * a limit is near or has been reached, or for a request that leaves requests to other processes (`Call.reserve`).
 */
export function shareBudgets(folder: string, owner: () => Promise<string>): OwnBudgetShare {
  let opened: ReturnType<BudgetShare['open']> | undefined;
  return {
    hasEntries: (now) => (entryAt(limitsExpiryFile(folder))?.mtimeMs ?? 0) > now,
    open: () => (opened ??= open(folder, owner)),
    async close() {
      const budget = await opened?.catch(() => undefined);
      opened = undefined;
      budget?.close();
    },
  };
}

async function open(folder: string, owner: () => Promise<string>): ReturnType<BudgetShare['open']> {
  const [{ openSharedBudget }, who] = await Promise.all([import('./shared-budget.ts'), owner()]);
  return openSharedBudget(folder, who);
}
