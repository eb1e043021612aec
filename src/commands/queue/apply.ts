import { mayLeaveOut, problemLines, readListFile, serviceOf } from '../../features/bulk/index.ts';
import { looksLikePlan, readPlan, type SavedPlan } from '../../features/assignment/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError, type ExitCode } from '../../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { applyPlan, refuseGuarded, refuseSavedGuarded, requireUnmoved } from './apply-plan.ts';
import { checkSavedLimits } from './limits.ts';
import { makePlan, requirePossible, requireReadable } from './make-plan.ts';
import { readList } from './read-list.ts';
import { resumeAssignment } from './resume.ts';
import type { WishOptions } from './wish-options.command.ts';

export type QueueApplyOptions = WishOptions & BulkOptions;

/** `queue apply`: from a list, from a saved plan, or what is left of a run. */
export async function applyQueues(ctx: Context, options: QueueApplyOptions): Promise<ExitCode> {
  const { file, resume } = options;
  if (resume !== undefined) {
    if (file !== undefined) throw usageError('--resume continues the list of its run: give no --file');
    requireNoMode(options, {
      why: 'a resumed run makes the changes that are left of it',
      next: () => 'leave it out, or run the command with the list again; nothing was sent',
    });
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
  const title = `apply ${nameOf(file)}`;
  const application = {
    planned,
    title,
    limits: [planned.limits],
    refuseGuarded: () => refuseGuarded(planned.guards),
  };
  return applyPlan(ctx, api, application, options);
}

function planFrom(text: string, file: string): SavedPlan {
  try {
    return readPlan(text);
  } catch (error) {
    throw usageError(
      `${file}: ${(error as Error).message}`,
      nextStep`make the plan again: ${ucctl('queue plan --plan-out FILE')}`,
    );
  }
}

/** Why an option that says which part of a list to apply does not fit, and what to do instead. */
interface ModeAdvice {
  readonly why: string;
  readonly next: (option: string) => Hint;
}

const savedPlanAdvice: ModeAdvice = {
  why: 'a saved plan is applied as it is',
  next: (option) =>
    nextStep`make the plan with it: ${ucctl(`queue plan ${option} --plan-out FILE`)}; nothing was sent`,
};

/** @throws {CommandError} `usage` for an option that says which part of a list to apply: a saved plan and a run have it in them. */
function requireNoMode({ exact, addOnly, removeOnly }: WishOptions, { why, next }: ModeAdvice): void {
  const given = [exact && '--exact', addOnly && '--add-only', removeOnly && '--remove-only'];
  const option = given.find((word) => typeof word === 'string');
  if (option === undefined) return;
  throw usageError(`${option} is for lists; ${why}`, next(option));
}

/** A saved plan is applied as it is, while the members are as it saw them, and within its limits and those of this command. */
async function applySaved(
  ctx: Context,
  saved: SavedPlan,
  file: string,
  options: QueueApplyOptions,
): Promise<ExitCode> {
  requireNoMode(options, savedPlanAdvice);
  if (saved.baseUrl !== serviceOf(ctx)) {
    throw new CommandError('other_service', Exit.conflict, `the plan was made for ${saved.baseUrl}`, {
      hint: 'make the plan again, or sign in there with another profile (-p NAME); nothing was sent',
    });
  }
  const { plan, before, problems } = saved;
  if (plan.problems.length > 0 || !mayLeaveOut(plan.refused, plan.changes.length, options)) {
    throw usageError(
      'the plan was made with problems in it',
      'correct the list and make the plan again; nothing was sent',
      problemLines(problems),
    );
  }
  const api = await ctx.api();
  const members = await requireUnmoved(ctx, api, before);
  const directory = openDirectory(api, ctx.signal);
  const { guards, ofPlan, limits } = await checkSavedLimits(ctx, directory, saved, members, options);
  const title = `apply the plan ${nameOf(file)}`;
  const planned = { ...saved, untrimmed: [] };
  const application = { planned, title, limits, refuseGuarded: () => refuseSavedGuarded(guards, ofPlan) };
  return applyPlan(ctx, api, application, options);
}

function nameOf(file: string): string {
  return file === '-' ? 'of standard input' : file;
}
