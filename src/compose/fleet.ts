import type { FleetLimiter } from '../client/fleet-limiter.ts';
import type { FleetBudget } from '../client/rate-limiter.ts';
import type { Postgres } from '../platform/postgres/postgres.ts';
import type { System } from '../runtime/system.ts';

/** Creates limiters that share the rate budgets of users between all machines with the same store. */
export async function fleetLimiter(
  system: System,
  store: () => Promise<Postgres>,
): Promise<(owner: () => Promise<string>) => FleetLimiter> {
  const { FleetLimiter: Limiter } = await import('../client/fleet-limiter.ts');
  const sleep = (milliseconds: number): Promise<void> => system.sleep(milliseconds, system.signal);
  return (owner) => {
    let opened: Promise<FleetBudget> | undefined;
    const open = async (): Promise<FleetBudget> => {
      const [db, { storeBudget }, who] = await Promise.all([store(), import('../store/index.ts'), owner()]);
      return storeBudget(db, who, sleep);
    };
    return new Limiter(() => (opened ??= open()));
  };
}
