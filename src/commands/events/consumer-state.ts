import type { Queries } from '../../platform/postgres/postgres.ts';
import type { PostgresEventLog } from '../../features/live/index.ts';
import type { ConsumerStatus } from '../../store/event-log.ts';
import { storeTime } from '../../platform/postgres/store-time.ts';

/** Returns the age of the oldest unfinished event in seconds. */
export function lagSeconds({ oldestAt }: Pick<ConsumerStatus, 'oldestAt'>, now: number): number {
  return oldestAt === undefined ? 0 : Math.max(0, Math.round((now - oldestAt) / 1000));
}

/** Returns the state of a consumer with its lag; undefined if it was removed. @throws {StoreError} */
export async function stateOf(
  db: Queries,
  log: PostgresEventLog,
  name: string,
): Promise<(ConsumerStatus & { readonly lagSeconds: number }) | undefined> {
  const [all, now] = await Promise.all([log.consumers(), storeTime(db)]);
  const found = all.find((one) => one.name === name);
  return found && { ...found, lagSeconds: lagSeconds(found, now) };
}
