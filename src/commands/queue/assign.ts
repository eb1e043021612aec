import { openDirectory } from '../../features/directory/index.ts';
import { fromFlags } from '../../features/assignment/index.ts';
import { readBefore } from '../../features/bulk/index.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError, type ExitCode } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';
import { applyPlan, requireNoGuards } from './apply-plan.ts';
import { applyQueues } from './apply.ts';
import { makePlan, requirePossible } from './make-plan.ts';
import type { PlanOptions } from './plan-options.command.ts';

export interface QueueAssignOptions extends PlanOptions, BulkOptions {
  readonly queue?: string;
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly file?: string;
}

/** `queue assign`: changes the agents of one queue; with a list it is the same as `queue apply` (CLIENT-12). */
export async function assignAgents(ctx: Context, options: QueueAssignOptions): Promise<ExitCode> {
  const { queue, add, remove, file, resume } = options;
  const named = add.length + remove.length;
  if (file !== undefined || resume !== undefined) {
    if (queue !== undefined || named > 0) {
      throw usageError(
        '--file and --resume cannot be used with --queue, --add or --remove',
        'use either a list or the options --queue, --add and --remove',
      );
    }
    return applyQueues(ctx, options);
  }
  if (queue === undefined)
    throw usageError('the queue is missing', 'use --queue QUEUE; for a list of changes, use --file FILE');
  if (named === 0) throw usageError('no agents specified', 'use --add AGENT or --remove AGENT');
  const api = await ctx.api();
  const list = fromFlags(queue, add, remove);
  const directory = openDirectory(api, ctx.signal);
  const planned = await readBefore(ctx, () => makePlan(ctx, api, list, options, { directory }));
  requirePossible(ctx, planned);
  const title = `agents of ${queue}: ${add.length} to add, ${remove.length} to remove`;
  return applyPlan(
    ctx,
    api,
    { planned, title, limits: [planned.limits], requireWithinLimits: () => requireNoGuards(planned.guards) },
    options,
  );
}

export interface QueueUnassignOptions {
  readonly queue: string;
  readonly agents: readonly string[];
  readonly maxRemovals?: string;
  readonly allowEmpty?: boolean;
  readonly protect: readonly string[];
  readonly detailedExitcode?: boolean;
  readonly results?: string;
}

export async function unassignAgents(ctx: Context, options: QueueUnassignOptions): Promise<ExitCode> {
  const { queue, agents, ...rest } = options;
  if (agents.length === 0) {
    throw usageError('no agents specified', ucctl`queue unassign ${queue} AGENT...`);
  }
  return assignAgents(ctx, {
    ...rest,
    queue,
    add: [],
    remove: agents,
    map: [],
    maxItems: 1000,
    concurrency: 1,
  });
}
