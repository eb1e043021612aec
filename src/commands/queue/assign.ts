import type { Client } from '../../client/index.ts';
import { planAssignments, toBulkAssign, type Plan } from '../../features/assignment/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../runtime/errors.ts';
import { readRequests, resolveAll } from './assign-input.ts';
import { applyPlan } from './apply.ts';
import { assignmentView, toRow } from './assignment-view.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { planText, summaryOf } from './plan-text.ts';
import { readMembership } from './membership.ts';

export interface QueueAssignOptions {
  readonly queue?: string;
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly file?: string;
}

/** `queue assign`: plan, show, ask, apply in one request, read back. */
export async function assignAgents(ctx: Context, options: QueueAssignOptions): Promise<void> {
  const requests = await readRequests(ctx, options);
  const api = await ctx.api();
  const resolved = await resolveAll(requests, openDirectory(api, ctx.signal));
  const queueIds = new Set(resolved.map(({ queue }) => String(queue.id)));
  const plan = planAssignments(resolved, await readMembership(api, queueIds, ctx.signal));
  if (plan.problems.length > 0) {
    throw usageError(headline(plan.problems), 'nothing was sent', plan.problems);
  }
  if (toBulkAssign(plan).length === 0) return reportUnchanged(ctx, plan);
  ctx.out.show(planText(plan, ctx.out));
  await confirm(ctx, plan);
  await applyAndReport(ctx, api, plan);
}

function headline(problems: readonly string[]): string {
  return problems.length === 1
    ? 'this assignment is not possible'
    : `${problems.length} assignments are not possible`;
}

async function reportUnchanged(ctx: Context, plan: Plan): Promise<void> {
  ctx.out.note('nothing to change: it is so already');
  await ctx.out.list(
    plan.changes.map((change) => toRow({ change, status: 'unchanged' })),
    assignmentView,
  );
}

async function confirm(ctx: Context, plan: Plan): Promise<void> {
  if (ctx.dryRun) return;
  if (await ctx.prompt.confirm(`${summaryOf(plan)}. Apply?`)) return;
  throw new CommandError('declined', Exit.refused, 'not confirmed; nothing was changed');
}

async function applyAndReport(ctx: Context, api: Client, plan: Plan): Promise<void> {
  const { outcomes, refusal } = await ctx.out.progress('assigning agents', () => applyPlan(ctx, api, plan));
  const failed = outcomes.filter(({ status }) => status === 'failed').length;
  const changed = outcomes.filter(({ status }) => status === 'added' || status === 'removed').length;
  // Refused as a whole: the service's own words say more than a list of failures.
  if (failed > 0 && changed === 0 && refusal !== undefined) throw refusal;
  await ctx.out.list(outcomes.map(toRow), assignmentView);
  if (failed === 0) {
    if (refusal !== undefined)
      ctx.out.warn('the service answered with an error, but all changes are in place');
    return;
  }
  throw new CommandError('partial', Exit.partial, `${failed} of ${failed + changed} changes were not made`, {
    hint: 'the rows with status failed say which; running the same command again sends only those',
    retryable: true,
    cause: refusal,
  });
}
