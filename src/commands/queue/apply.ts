import type { Client } from '../../client/index.ts';
import {
  toBulkAssign,
  verifyPlan,
  type AssignmentOutcome,
  type Plan,
} from '../../features/assignment/index.ts';
import type { Context } from '../../runtime/context.ts';
import { readMembership } from './membership.ts';

export interface Applied {
  readonly outcomes: readonly AssignmentOutcome[];
  /** What the service answered, or how the connection broke, when it was no plain success. */
  readonly refusal?: unknown;
}

/**
 * Sends the plan in one request and reads the members back, after a refusal or a broken connection too: only what is read back is
 * known (coverage, part 4). Ctrl-C does not cut this short: a request under way is finished and accounted for.
 * @throws the first failure itself when the members cannot be read after it.
 */
export async function applyPlan(ctx: Context, api: Client, plan: Plan): Promise<Applied> {
  const items = toBulkAssign(plan);
  ctx.signal.throwIfAborted();
  const refusal = await api.departments.bulkAssign(items).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (refusal && ctx.dryRun) throw refusal.error;
  const queueIds = new Set(items.map((item) => item.departmentId));
  const after = await readMembership(api, queueIds).catch((error: unknown) => {
    throw refusal ? refusal.error : error;
  });
  return { outcomes: verifyPlan(plan, after), ...(refusal && { refusal: refusal.error }) };
}
