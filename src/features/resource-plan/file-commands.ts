import { resolve } from 'node:path';
import { CommandError, Exit, usageError, type ExitCode } from '../../errors/command.ts';
import { type CommandText, type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { replaceContent } from '../../platform/replace-content.ts';
import type { Context } from '../../runtime/context.ts';
import { writesDocument } from '../../runtime/output.ts';
import type { ResourceFileOptions, ResourceRunOptions } from '../../runtime/resource-options.ts';
import {
  nameOf,
  readBefore,
  readListFile,
  rejectList,
  serviceOf,
  type ListContent,
  type ListProblem,
  type PlanNoun,
  type RunInput,
} from '../bulk/index.ts';
import { applyResources, resumeResources, type ResourceApplyOptions } from './apply.ts';
import { requireSameResources } from './drift.ts';
import type { DesiredResource, ResourceChange, ResourceKind, ResourcePlan } from './change.ts';
import { compareResources } from './compare.ts';
import { guardResources, resourceGuardText, sizeOf, type ResourceLimits } from './limits.ts';
import {
  looksLikeResourcePlan,
  readResourcePlan,
  toResourcePlanDocument,
  writeResourcePlan,
  type ResourcePlanDocument,
} from './plan-file.ts';
import { resourceRows, resourceRowsOf } from './resource.rows.ts';
import { requireSameNames } from './same-names.ts';
import { isBriefPlan, resourcePlanText, resourceSummary } from './text.ts';

export interface ResourceFile {
  readonly desired: readonly DesiredResource[];
  /** If there are problems, no plan is made. */
  readonly problems: readonly ListProblem[];
  /** Parts of the file that are ignored, for people. */
  readonly warnings?: readonly string[];
  /** The rows of a table, for a results file. */
  readonly input?: RunInput;
}

/** A kind of resource that the commands `plan` and `apply` of a noun take from files. */
export interface ResourceFiles {
  readonly kind: ResourceKind;
  /** The noun of the commands. */
  readonly noun: PlanNoun;
  /** The given options that say how to read a table, such as `--map`. A saved plan or a run has no table to read. */
  readonly tableOptions?: readonly string[];
  /** Called before the first request of an application. @throws {CommandError} if the resources cannot be changed. */
  requireWritable?(): Promise<void>;
  read(content: ListContent, file: string): Promise<ResourceFile>;
  /**
   * Returns the present title of the resource that a change of a saved plan changes or creates; undefined if there is
   * no such resource.
   */
  titleOf(change: ResourceChange): Promise<string | undefined>;
  /** Number of resources (or owners) to which a percentage of --max-changes refers; by default the resources of the file. */
  total?(): Promise<number>;
  /** Returns the IDs of the protected resources, from the option and the profile. */
  protectedIds(names: readonly string[]): Promise<readonly string[]>;
}

/** Maximum number of changed resources without --max-changes. */
const defaultChanges = { given: '20%', atLeast: 5 };

/** Options for reading a file; only tables have columns and sheets. */
type FileOptions = Omit<ResourceFileOptions, 'map'>;

interface Planned {
  readonly plan: ResourcePlan;
  readonly limits: ResourceLimits;
  readonly total: number;
  readonly input: RunInput | undefined;
}

/** `NOUN plan`: shows the changes that a file would make. */
export async function planResourceFile(
  ctx: Context,
  files: ResourceFiles,
  options: FileOptions & { readonly planOut?: string },
): Promise<ExitCode> {
  const { file, planOut } = options;
  if (file === undefined) throw usageError('the file is missing', 'use --file FILE');
  const content = await readListFile(ctx, file, options.sheet);
  const { plan, limits, total, input } = await planOf(ctx, files, { content, file }, options);
  const { kind } = files;
  const made = toResourcePlanDocument(kind, plan, { baseUrl: serviceOf(ctx), now: ctx.now(), limits, input });
  const document = { ...made, total, guards: guardResources(plan.changes, total, limits) };
  await show(ctx, kind, plan, document);
  const values = valuesNote(files, options);
  if (values !== undefined && ctx.out.format === 'table' && ctx.out.isTerminal && isBriefPlan(plan))
    ctx.out.note(values);
  for (const guard of document.guards) ctx.out.warn(resourceGuardText(guard, kind.noun));
  if (planOut !== undefined) {
    await replaceContent(resolve(ctx.cwd, planOut), writeResourcePlan(document));
    ctx.out.note(
      nextStep`Saved the plan in ${planOut}. To apply it: ${ucctl`${files.noun} apply -f ${planOut}`}`,
    );
  }
  const hasChanges = plan.changes.length > 0;
  ctx.out.note(
    hasChanges ? resourceSummary(plan.changes, kind.noun) : 'No changes: everything is already up to date.',
  );
  return hasChanges && options.detailedExitcode ? Exit.changesPresent : Exit.ok;
}

/**
 * Returns a note with the command that lists the values of a plan, for a plan whose text omits them; undefined for standard
 * input, which cannot be read again.
 */
function valuesNote(
  { noun, tableOptions = [] }: ResourceFiles,
  { file, sheet }: FileOptions,
): Hint | undefined {
  if (file === undefined || file === '-') return undefined;
  const options = [...tableOptions, ...(sheet === undefined ? [] : ['--sheet'])];
  const same = options.length === 0 ? '' : `, with the same ${options.join(' and ')}`;
  return nextStep`Values: ${ucctl`${noun} plan -f ${file} -o csv`}${same}`;
}

/** `NOUN apply`: applies a file or a saved plan, or resumes a run. */
export async function applyResourceFile(
  ctx: Context,
  files: ResourceFiles,
  options: FileOptions & ResourceRunOptions,
): Promise<ExitCode> {
  const { file, resume } = options;
  const run: ResourceApplyOptions = { ...options, concurrency: 1 };
  if (resume !== undefined) {
    if (file !== undefined)
      throw usageError(
        '--resume and --file cannot be used together: a resumed run uses its original file',
        'remove one of them',
      );
    requireNoTableOptions(files, options, {
      why: 'a resumed run makes only the remaining changes',
      next: () => 'omit the option, or start a new run from the table with --file; nothing was sent',
    });
    return resumeResources(ctx, files.kind, resume, run, {
      requireWritable: () => requireWritable(files),
      limits: () => limitsOf(files, options, undefined),
      ...(files.total && { total: files.total.bind(files) }),
    });
  }
  if (file === undefined)
    throw usageError(
      'the file is missing',
      'use --file FILE; to resume an interrupted run, use --resume RUN',
    );
  const content = await readListFile(ctx, file, options.sheet, files.noun);
  if (typeof content === 'string' && looksLikeResourcePlan(content))
    return applySaved(ctx, files, { text: content, file }, { ...options, ...run });
  const { plan, limits, total, input } = await readBefore(ctx, async () => {
    await requireWritable(files);
    return planOf(ctx, files, { content, file }, options);
  });
  const title = `apply ${nameOf(file)}`;
  return applyResources(
    ctx,
    files.kind,
    { plan, limits: [limits], title, total, values: valuesNote(files, options), ...(input && { input }) },
    run,
  );
}

async function applySaved(
  ctx: Context,
  files: ResourceFiles,
  { text, file }: { readonly text: string; readonly file: string },
  options: FileOptions & ResourceApplyOptions,
): Promise<ExitCode> {
  requireNoTableOptions(files, options, {
    why: 'ucctl applies a saved plan unchanged',
    next: (option) =>
      nextStep`omit the option, or create the plan again with ${option}: ${planCommand(files)}; nothing was sent`,
  });
  const { kind } = files;
  const saved = savedPlan(files, text, file);
  if (saved.baseUrl !== serviceOf(ctx))
    throw new CommandError(
      'other_service',
      Exit.conflict,
      `the plan was created for ${saved.baseUrl}, which is not the service of this profile`,
      { hint: 'nothing was sent; create the plan again, or select a profile of that service (-p NAME)' },
    );
  const own = await readBefore(ctx, async () => {
    await requireWritable(files);
    await requireSameResources(ctx, kind, saved.changes);
    const names = saved.changes.map(async (change) => {
      const { id, title: planned } = change;
      return { id, planned, present: await files.titleOf(change) };
    });
    requireSameNames(await Promise.all(names));
    return limitsOf(files, options, undefined);
  });
  const plan: ResourcePlan = { changes: saved.changes, unchanged: [], problems: [] };
  const title = `apply the plan ${file === '-' ? 'from standard input' : file}`;
  const limits = [saved.limits, own];
  const { total, input } = saved;
  const application = { plan, limits, title, total, isSaved: true, ...(input && { input }) };
  return applyResources(ctx, kind, application, options);
}

async function requireWritable(files: ResourceFiles): Promise<void> {
  await files.requireWritable?.();
}

/** @throws {CommandError} `usage` for options that say how to read a table, because there is no table. */
function requireNoTableOptions(
  { tableOptions = [] }: ResourceFiles,
  { sheet }: FileOptions,
  { why, next }: { readonly why: string; readonly next: (option: string) => Hint },
): void {
  const [option] = [...tableOptions, ...(sheet === undefined ? [] : ['--sheet'])];
  if (option !== undefined) throw usageError(`${option} can be used only with a table; ${why}`, next(option));
}

function planCommand({ noun }: ResourceFiles): CommandText {
  return ucctl`${noun} plan --plan-out FILE`;
}

function savedPlan(files: ResourceFiles, text: string, file: string): ResourcePlanDocument {
  try {
    return readResourcePlan(text, files.kind);
  } catch (error) {
    throw usageError(
      `${file}: ${(error as Error).message}`,
      nextStep`create the plan again: ${planCommand(files)}`,
    );
  }
}

async function planOf(
  ctx: Context,
  files: ResourceFiles,
  { content, file }: { readonly content: ListContent; readonly file: string },
  options: FileOptions,
): Promise<Planned> {
  const name = file === '-' ? 'stdin' : file;
  const { desired, problems, warnings = [], input } = await files.read(content, name);
  // Invalid rows cannot be skipped, because a file of settings is applied as a whole.
  const whole = problems.map(({ place, text, more }) => ({ place, text, more }));
  if (whole.length > 0) return rejectList(ctx, whole, options);
  for (const text of warnings) ctx.out.warn(text);
  const { kind } = files;
  const present = await ctx.out.progress(`reading ${kind.noun}s`, () => kind.read(desired, ctx.signal));
  const plan = compareResources(desired, present, kind);
  if (plan.problems.length > 0) return rejectList(ctx, plan.problems, options);
  const total = (await files.total?.()) ?? sizeOf(plan);
  return { plan, limits: await limitsOf(files, options, defaultChanges), total, input };
}

async function limitsOf(
  files: ResourceFiles,
  { maxChanges, protect }: FileOptions,
  fallback: ResourceLimits['maxChanges'],
): Promise<ResourceLimits> {
  return {
    maxChanges: maxChanges === undefined ? fallback : { given: maxChanges, atLeast: 0 },
    protectedIds: await files.protectedIds(protect),
  };
}

/** Shows the plan: a diff on a terminal, the document in JSON and YAML, rows in other formats. */
async function show(
  ctx: Context,
  kind: ResourceKind,
  plan: ResourcePlan,
  document: ResourcePlanDocument,
): Promise<void> {
  const { format, isTerminal } = ctx.out;
  if (writesDocument(format)) return ctx.out.record(document, { columns: [] });
  if (format !== 'table' || !isTerminal) {
    const changes = plan.changes.map((change) => ({ change, status: 'planned' as const }));
    return ctx.out.list(resourceRowsOf(changes), resourceRows.list);
  }
  const text = resourcePlanText(plan, kind, ctx.out);
  if (text !== '') ctx.out.show(text);
}
