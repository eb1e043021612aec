import { readListFile, refusedText, serviceOf } from '../../features/bulk/index.ts';
import { resolve } from 'node:path';
import {
  neededChanges,
  toPlanDocument,
  writePlan,
  type ComputedPlan,
  type PlanDocument,
  type RefusedWish,
} from '../../features/assignment/index.ts';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import type { Context } from '../../runtime/context.ts';
import { Exit, usageError, type ExitCode } from '../../errors/command.ts';
import { guardAdvice } from './guard-text.ts';
import { makePlan, requirePossible, requireReadable } from './make-plan.ts';
import { noChangesText, planText, summaryOf } from './plan-text.ts';
import { planRows, type PlanRow } from './plan.rows.ts';
import { readList } from './read-list.ts';
import type { WishOptions } from './wish-options.command.ts';

export interface QueuePlanOptions extends WishOptions {
  readonly planOut?: string;
}

/** `queue plan`: what a list would change, without changing it. */
export async function planQueues(ctx: Context, options: QueuePlanOptions): Promise<ExitCode> {
  const { file, planOut } = options;
  if (file === undefined) throw usageError('say what to plan: --file FILE');
  const list = readList(await readListFile(ctx, file), file, options);
  await requireReadable(ctx, list);
  const planned = await makePlan(ctx, await ctx.api(), list, options);
  const { plan } = planned;
  const document = toPlanDocument(planned, { baseUrl: serviceOf(ctx), now: ctx.now() });
  await show(ctx, planned, document);
  for (const text of [...planned.untrimmed, ...planned.guards.map(guardAdvice)]) ctx.out.warn(text);
  if (planOut !== undefined) {
    await writeFileAtomic(resolve(ctx.cwd, planOut), writePlan(document));
    ctx.out.note(`the plan is in ${planOut}; apply it: ucctl queue apply -f ${planOut}`);
  }
  requirePossible(planned, { failFast: true });
  const changes = neededChanges(plan).length > 0;
  ctx.out.note(changes ? summaryOf(plan) : noChangesText);
  return changes && options.detailedExitcode ? Exit.changesPresent : Exit.ok;
}

/** The diff for people, the document for programs, its rows for pipes. */
async function show(ctx: Context, { plan }: ComputedPlan, document: PlanDocument): Promise<void> {
  const { format, isTerminal } = ctx.out;
  if (format === 'json' || format === 'ndjson' || format === 'yaml') {
    return ctx.out.record(document, { columns: [] });
  }
  if (format !== 'table' || !isTerminal) {
    return ctx.out.list<PlanRow>([...document.changes, ...plan.refused.map(refusedRow)], planRows.list);
  }
  const refused = ctx.out.style('bad', refusedText(plan.refused));
  const parts = [planText(plan, ctx.out), ...(plan.refused.length > 0 ? [refused] : [])];
  const text = parts.filter((part) => part !== '').join('\n');
  if (text !== '') ctx.out.show(text);
}

function refusedRow({ queue, agent }: RefusedWish): PlanRow {
  const names = { queue, queueName: '', extension: agent, agentName: '' };
  return { ...names, action: 'refused', queueId: '', agentId: '' };
}
