import type { Client } from '../../client/index.ts';
import { toBulkAssign, type PlannedChange } from '../../features/assignment/index.ts';

/**
 * Asks for every request that the plan would send; the transport keeps each of them back.
 * @throws {DryRunStop} with all of them.
 */
export async function withholdAll(
  api: Client,
  needed: readonly PlannedChange[],
  maxItems: number,
): Promise<void> {
  let last: unknown;
  for (let at = 0; at < needed.length; at += maxItems) {
    try {
      await api.departments.bulkAssign(toBulkAssign(needed.slice(at, at + maxItems)));
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'DryRunStop') throw error;
      last = error;
    }
  }
  if (last !== undefined) throw last;
}
