import { maySkip, problemLines, readBefore, readListFile, serviceOf } from '../../features/bulk/index.ts';
import { looksLikePlan, readPlan, type SavedPlan } from '../../features/assignment/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError, type ExitCode } from '../../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { applyPlan, requireNoGuards, requireNoSavedGuards, requireSameMembers } from './apply-plan.ts';
import { requireNamesOfAccount } from './saved-names.ts';
import { checkSavedLimits } from './limits.ts';
import { planFile } from './plan-file.ts';
import { resumeAny } from './resume.ts';
import { noSettings, requireNoSettingGuards, settingLimits } from './settings.ts';
import type { PlanOptions } from './plan-options.command.ts';

export type QueueApplyOptions = PlanOptions & BulkOptions;

/** `queue apply`: applies a list or a saved plan, or resumes a run. */
export async function applyQueues(ctx: Context, options: QueueApplyOptions): Promise<ExitCode> {
  const { file, resume } = options;
  if (resume !== undefined) {
    if (file !== undefined)
      throw usageError(
        '--resume and --file cannot be used together: a resumed run uses its original list',
        'remove one of them',
      );
    requireNoListOptions(options, {
      why: 'a resumed run makes only the remaining changes',
      next: () => 'omit the option, or start a new run from the list with --file; nothing was sent',
    });
    return resumeAny(ctx, resume, options);
  }
  if (file === undefined)
    throw usageError(
      'the list is missing',
      'use --file FILE; to resume an interrupted run, use --resume RUN',
    );
  const content = await readListFile(ctx, file, options.sheet, 'queue');
  if (typeof content === 'string' && looksLikePlan(content)) {
    return applySaved(ctx, planFrom(content, file), file, options);
  }
  const { planned, settings } = await readBefore(ctx, () => planFile(ctx, content, file, options));
  const title = `apply ${nameOf(file)}`;
  const application = {
    planned,
    settings,
    title,
    list: options,
    limits: [planned.limits],
    requireWithinLimits: () => {
      requireNoSettingGuards(settings);
      requireNoGuards(planned.guards);
    },
  };
  return applyPlan(ctx, await ctx.api(), application, options);
}

function planFrom(text: string, file: string): SavedPlan {
  try {
    return readPlan(text);
  } catch (error) {
    throw usageError(
      `${file}: ${(error as Error).message}`,
      nextStep`create the plan again: ${ucctl('queue plan --plan-out FILE')}`,
    );
  }
}

/** The reason why the options of a list are not allowed, and the next step. */
interface ListOptionAdvice {
  readonly why: string;
  readonly next: (option: string) => Hint;
}

const savedPlanAdvice: ListOptionAdvice = {
  why: 'ucctl applies a saved plan unchanged',
  next: (option) =>
    nextStep`create the plan with this option: ${ucctl`queue plan ${option} --plan-out FILE`}; nothing was sent`,
};

/**
 * @throws {CommandError} `usage` for options that say how to read a list and which changes to make, which are part of a
 * saved plan or a run.
 */
function requireNoListOptions(
  { exact, addOnly, removeOnly, map, sheet }: PlanOptions,
  { why, next }: ListOptionAdvice,
): void {
  const given = [
    exact && '--exact',
    addOnly && '--add-only',
    removeOnly && '--remove-only',
    map.length > 0 && '--map',
    sheet !== undefined && '--sheet',
  ];
  const option = given.find((word) => typeof word === 'string');
  if (option === undefined) return;
  throw usageError(`${option} can be used only with a list; ${why}`, next(option));
}

/** Applies a saved plan, if the members have not changed since, within the limits of the plan and of this command. */
async function applySaved(
  ctx: Context,
  saved: SavedPlan,
  file: string,
  options: QueueApplyOptions,
): Promise<ExitCode> {
  requireNoListOptions(options, savedPlanAdvice);
  if (saved.baseUrl !== serviceOf(ctx)) {
    throw new CommandError(
      'other_service',
      Exit.conflict,
      `the plan was created for ${saved.baseUrl}, but the profile uses a different service`,
      {
        hint: 'create the plan again, or select a profile that uses that service (-p NAME); nothing was sent',
      },
    );
  }
  const { plan, before, problems } = saved;
  const isAccepted = plan.skipped.length === 0 || options.skipInvalid;
  if (plan.problems.length > 0 || !isAccepted || !maySkip(plan.skipped, plan.changes.length, options)) {
    const skips = plan.problems.length === 0 ? ', or skip the rows with --skip-invalid' : '';
    throw usageError(
      'cannot apply the plan, because it contains invalid rows',
      `fix the list and create the plan again${skips}; nothing was sent`,
      problemLines(problems),
    );
  }
  const api = await ctx.api();
  const { guards, ofPlan, limits } = await readBefore(ctx, async () => {
    const members = await requireSameMembers(ctx, api, before, saved.settings?.plan.changes);
    const directory = openDirectory(api, ctx.signal);
    await requireNamesOfAccount(directory, saved);
    return checkSavedLimits(ctx, directory, saved, members, options);
  });
  const title = `apply the plan ${nameOf(file)}`;
  const planned = { ...saved, removalsSkipped: [] };
  const stored = { ...noSettings, ...saved.settings };
  // The stricter limit applies.
  const settings = { ...stored, limits: [...stored.limits, settingLimits(options.maxChanges)] };
  const application = {
    planned,
    settings,
    isSaved: true,
    title,
    limits,
    requireWithinLimits: () => {
      requireNoSettingGuards(settings);
      requireNoSavedGuards(guards, ofPlan);
    },
  };
  return applyPlan(ctx, api, application, options);
}

function nameOf(file: string): string {
  return file === '-' ? 'from standard input' : file;
}
