import { mayLeaveOut, readListFile } from '../../features/bulk/index.ts';
import { looksLikePlan, planOf, readPlan, type PlanDocument } from '../../features/assignment/index.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError, type ExitCode } from '../../runtime/errors.ts';
import { applyPlan, requireUnmoved } from './apply-plan.ts';
import { makePlan, requirePossible, requireReadable } from './make-plan.ts';
import { readList } from './read-list.ts';
import { resumeAssignment } from './resume.ts';
import type { WishOptions } from './wish-options.command.ts';

export type QueueApplyOptions = WishOptions & BulkOptions;

/** `queue apply`: from a list, from a saved plan, or what is left of a run. */
export async function applyQueues(ctx: Context, options: QueueApplyOptions): Promise<ExitCode> {
  const { file, resume } = options;
  if (resume !== undefined) {
    if (file !== undefined) throw usageError('--resume carries on the list of the run: give no --file');
    return resumeAssignment(ctx, resume, options);
  }
  if (file === undefined) throw usageError('say what to apply: --file FILE, or --resume RUN');
  const text = await readListFile(ctx, file);
  if (looksLikePlan(text)) return applySaved(ctx, planFrom(text, file), file, options);
  const list = readList(text, file, options);
  await requireReadable(ctx, list);
  const api = await ctx.api();
  const planned = await makePlan(ctx, api, list, options);
  requirePossible(planned, options);
  const { plan, before, document, reads, untrimmed } = planned;
  const { input, guards } = document;
  const title = `apply ${nameOf(file)}`;
  return applyPlan(ctx, api, { plan, before, input, guards, untrimmed, title, reads }, options);
}

function planFrom(text: string, file: string): PlanDocument {
  try {
    return readPlan(text);
  } catch (error) {
    throw usageError(
      `${file}: ${(error as Error).message}`,
      'make it anew: ucctl queue plan --plan-out FILE',
    );
  }
}

/** A saved plan is applied as it is, and only where and while it is true. */
async function applySaved(
  ctx: Context,
  document: PlanDocument,
  file: string,
  options: QueueApplyOptions,
): Promise<ExitCode> {
  const baseUrl = ctx.settings.baseUrl.value ?? '';
  if (document.baseUrl !== baseUrl) {
    throw new CommandError('other_service', Exit.conflict, `the plan was made for ${document.baseUrl}`, {
      hint: 'plan anew, or sign in there with another profile (-p NAME); nothing was sent',
    });
  }
  const { plan, before } = planOf(document);
  if (plan.problems.length > 0 || !mayLeaveOut(plan.refused, plan.changes.length, options)) {
    throw usageError(
      'the plan was made with problems in it',
      'correct the list and plan anew; nothing was sent',
      document.problems,
    );
  }
  const api = await ctx.api();
  await requireUnmoved(ctx, api, before);
  const { input, guards } = document;
  const title = `apply the plan ${nameOf(file)}`;
  return applyPlan(
    ctx,
    api,
    { plan, before, input, guards: allowed(guards, options), untrimmed: [], title, reads: before.size },
    options,
  );
}

/** Guards of a saved plan can still be answered by their flags. */
function allowed(guards: readonly string[], { allowEmpty, maxRemovals }: WishOptions): readonly string[] {
  return guards.filter(
    (guard) =>
      !(allowEmpty && guard.endsWith('--allow-empty allows it')) &&
      !(maxRemovals !== undefined && guard.endsWith('--max-removals allows more')),
  );
}

function nameOf(file: string): string {
  return file === '-' ? 'of standard input' : file;
}
