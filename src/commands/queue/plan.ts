import {
  estimateSeconds,
  estimateText,
  readListFile,
  serviceOf,
  skippedError,
  skippedText,
} from '../../features/bulk/index.ts';
import { resolve } from 'node:path';
import {
  countRequests,
  neededChanges,
  toPlanDocument,
  writePlan,
  type ComputedPlan,
  type PlanDocument,
  type SkippedRequest,
} from '../../features/assignment/index.ts';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import { wasOrWere } from '../../platform/counted.ts';
import { bulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { Exit, usageError, type ExitCode } from '../../errors/command.ts';
import { guardAdvice } from './guard-text.ts';
import { planList } from './make-plan.ts';
import { noChangesText, planText, summaryOf } from './plan-text.ts';
import { planRows, type PlanRow } from './plan.rows.ts';
import { readList } from './read-list.ts';
import type { PlanOptions } from './plan-options.command.ts';

export interface QueuePlanOptions extends PlanOptions {
  readonly planOut?: string;
}

/** `queue plan`: shows the changes that a list would make. */
export async function planQueues(ctx: Context, options: QueuePlanOptions): Promise<ExitCode> {
  const { file, planOut } = options;
  if (file === undefined) throw usageError('--file FILE is required');
  const list = readList(await readListFile(ctx, file, options.sheet), file, options);
  const planned = await planList(ctx, list, options);
  const { plan } = planned;
  const counts = countRequests(await ctx.api(), plan, bulkOptions.maxItems.default);
  const requests = { ...counts, seconds: estimateSeconds(counts) };
  const document = toPlanDocument(planned, { baseUrl: serviceOf(ctx), now: ctx.now(), requests });
  await show(ctx, planned, document);
  for (const text of [...planned.removalsSkipped, ...planned.guards.map(guardAdvice)]) ctx.out.warn(text);
  if (planOut !== undefined) {
    await writeFileAtomic(resolve(ctx.cwd, planOut), writePlan(document));
    ctx.out.note(`Saved the plan in ${planOut}. To apply it: ucctl queue apply -f ${planOut}`);
  }
  if (plan.skipped.length > 0) throw skippedError(plan.skipped, wasOrWere(plan.skipped.length));
  const changes = neededChanges(plan).length > 0;
  ctx.out.note(changes ? `${summaryOf(plan)}; to apply it takes ${estimateText(counts)}` : noChangesText);
  return changes && options.detailedExitcode ? Exit.changesPresent : Exit.ok;
}

/** Shows the plan: a diff on a terminal, the document in JSON and YAML, rows in other formats. */
async function show(ctx: Context, { plan }: ComputedPlan, document: PlanDocument): Promise<void> {
  const { format, isTerminal } = ctx.out;
  if (format === 'json' || format === 'ndjson' || format === 'yaml') {
    return ctx.out.record(document, { columns: [] });
  }
  if (format !== 'table' || !isTerminal) {
    return ctx.out.list<PlanRow>([...document.changes, ...plan.skipped.map(skippedRow)], planRows.list);
  }
  const skipped = ctx.out.style('bad', skippedText(plan.skipped));
  const parts = [planText(plan, ctx.out), ...(plan.skipped.length > 0 ? [skipped] : [])];
  const text = parts.filter((part) => part !== '').join('\n');
  if (text !== '') ctx.out.show(text);
}

function skippedRow({ queue, agent }: SkippedRequest): PlanRow {
  const names = { queue, queueName: '', extension: agent, agentName: '' };
  return { ...names, action: 'skipped', queueId: '', agentId: '' };
}
