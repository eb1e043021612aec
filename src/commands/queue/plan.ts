import {
  addCounts,
  estimatePhases,
  phasesText,
  readListFile,
  serviceOf,
  skippedError,
  skippedText,
  type RequestPhases,
} from '../../features/bulk/index.ts';
import { resolve } from 'node:path';
import type { Client } from '../../client/index.ts';
import { maxPerPage } from '../../contract/limits.ts';
import {
  countRequests,
  neededChanges,
  toPlanDocument,
  writePlan,
  type PlanDocument,
  type SkippedRequest,
} from '../../features/assignment/index.ts';
import { queueSettings } from '../../features/queue-settings/index.ts';
import {
  countResourceRequests,
  guardResources,
  resourceGuardText,
  resourcePlanText,
  type ResourceChange,
} from '../../features/resource-plan/index.ts';
import { replaceContent } from '../../platform/replace-content.ts';
import { wasOrWere } from '../../platform/counted.ts';
import { bulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { writesDocument } from '../../runtime/output.ts';
import { Exit, usageError, type ExitCode } from '../../errors/command.ts';
import { guardAdvice } from './guard-text.ts';
import { noteNames } from './list-names.ts';
import { planFile, type FilePlan } from './plan-file.ts';
import { noChangesText, planText, summaryOfBoth } from './plan-text.ts';
import { planRows, type PlanRow } from './plan.rows.ts';
import type { PlanOptions } from './plan-options.command.ts';
import { presentReads, type SettingsPlan } from './settings.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

export interface QueuePlanOptions extends PlanOptions {
  readonly planOut?: string;
}

/** `queue plan`: shows the changes that a list would make. */
export async function planQueues(ctx: Context, options: QueuePlanOptions): Promise<ExitCode> {
  const { file, planOut } = options;
  if (file === undefined) throw usageError('the list is missing', 'use --file FILE');
  const content = await readListFile(ctx, file, options.sheet);
  const filePlan = await planFile(ctx, content, file, options);
  const { planned, settings } = filePlan;
  const { plan } = planned;
  const phases = phasesOf(ctx, await ctx.api(), filePlan);
  const requests = { ...addCounts(phases.first, phases.second), seconds: estimatePhases(phases) };
  const document = toPlanDocument(planned, {
    baseUrl: serviceOf(ctx),
    now: ctx.now(),
    requests,
    settings: settings.total > 0 ? withoutNames(settings) : undefined,
  });
  await show(ctx, filePlan, document);
  if (isDrawn(ctx)) noteNames(ctx, plan, options);
  const settingGuards = settings.limits.flatMap((limits) =>
    guardResources(settings.plan.changes, settings.total, limits),
  );
  const warnings = settingGuards.map((guard) => resourceGuardText(guard, 'queue'));
  for (const text of [...planned.removalsSkipped, ...planned.guards.map(guardAdvice), ...warnings]) {
    ctx.out.warn(text);
  }
  const creates = settings.plan.changes.some(({ action }) => action === 'create');
  const { creationNote } = queueSettings(ctx, await ctx.api());
  if (creates && creationNote !== undefined && !isDrawn(ctx)) ctx.out.warn(creationNote);
  if (planOut !== undefined) {
    await replaceContent(resolve(ctx.cwd, planOut), writePlan(document));
    ctx.out.note(nextStep`Saved the plan in ${planOut}. To apply it: ${ucctl`queue apply -f ${planOut}`}`);
  }
  if (plan.skipped.length > 0) throw skippedError(plan.skipped, wasOrWere(plan.skipped.length));
  const changes = neededChanges(plan).length + settings.plan.changes.length > 0;
  ctx.out.note(
    changes
      ? `${summaryOfBoth(plan, settings)}. Applying the changes takes ${phasesText(phases)}.`
      : noChangesText,
  );
  return changes && options.detailedExitcode ? Exit.changesPresent : Exit.ok;
}

/** Returns the settings for a saved plan, whose members refer to IDs. */
function withoutNames({ plan, limits, total, created }: SettingsPlan): SettingsPlan {
  return { plan, limits, total, created };
}

/**
 * Returns the requests of `queue apply` for this plan: the command reads the extensions and the present state, then
 * makes the changes.
 */
function phasesOf(ctx: Context, api: Client, { planned, settings, extensions }: FilePlan): RequestPhases {
  const { changes } = settings.plan;
  return {
    first: {
      Medium: Math.max(1, Math.ceil(extensions / maxPerPage)),
      Light: presentReads(planned.before, settings),
    },
    second: addCounts(
      countResourceRequests(queueSettings(ctx, api), changes),
      countRequests(api, planned.plan, bulkOptions.maxItems.default),
    ),
  };
}

/** Shows the plan: a diff on a terminal, the document in JSON and YAML, rows in other formats. */
async function show(
  ctx: Context,
  { planned: { plan }, settings }: FilePlan,
  document: PlanDocument,
): Promise<void> {
  if (writesDocument(ctx.out.format)) return ctx.out.record(document, { columns: [] });
  if (!isDrawn(ctx)) {
    const rows = [
      ...settings.plan.changes.flatMap(settingRows),
      // The changes come first, because a list can have thousands of other agents.
      ...document.changes.filter(({ action }) => action !== 'none'),
      ...plan.skipped.map(skippedRow),
      ...document.changes.filter(({ action }) => action === 'none'),
    ];
    return ctx.out.list<PlanRow>(rows, planRows.list);
  }
  const kind = queueSettings(ctx, await ctx.api());
  const skipped = ctx.out.style('bad', skippedText(plan.skipped));
  const parts = [
    resourcePlanText(settings.plan, kind, ctx.out),
    planText(plan, ctx.out),
    ...(plan.skipped.length > 0 ? [skipped] : []),
  ];
  const text = parts.filter((part) => part !== '').join('\n');
  if (text !== '') ctx.out.show(text);
}

/** Returns whether the plan is shown as a diff. */
function isDrawn({ out: { format, isTerminal } }: Pick<Context, 'out'>): boolean {
  return format === 'table' && isTerminal;
}

function settingRows(change: ResourceChange): readonly PlanRow[] {
  const { action, id, number, title, before, after } = change;
  return Object.keys(after).map((setting) => ({
    action,
    queue: number ?? title,
    queueName: title,
    extension: '',
    agentName: '',
    queueId: id ?? '',
    agentId: '',
    setting,
    before: before[setting] ?? null,
    after: after[setting] ?? null,
  }));
}

function skippedRow({ queue, agent }: SkippedRequest): PlanRow {
  const names = { queue, queueName: '', extension: agent, agentName: '' };
  return { ...names, action: 'skipped', queueId: '', agentId: '' };
}
