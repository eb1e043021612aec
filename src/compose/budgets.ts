import type { Auth } from '../runtime/auth.ts';
import type { UsageBudget } from '../runtime/usage-budget.ts';
import { budgetOwner } from './owners.ts';
import type { Parts } from './parts.ts';

/**
 * Returns the budgets that the processes of this user share: usage groups with few requests left. With a store, the
 * budgets are in the store and are not returned.
 */
export async function sharedBudgets(
  { settings, system, paths }: Parts,
  auth: () => Promise<Auth>,
): Promise<readonly UsageBudget[]> {
  const { storeUrl, baseUrl } = settings;
  if (storeUrl.value !== undefined || baseUrl.value === undefined || !URL.canParse(baseUrl.value)) return [];
  const { origin } = new URL(baseUrl.value);
  const { shareBudgets } = await import('../client/budget-share.ts');
  const share = shareBudgets(paths.state, () => budgetOwner(settings, origin, auth));
  const now = system.now();
  if (!share.hasEntries(now)) return [];
  try {
    return (await share.open()).known(now);
  } finally {
    await share.close();
  }
}
