import type { Client } from '../../client/index.ts';
import type { ComputedPlan, PlanDocument, PlanLimits } from '../../features/assignment/index.ts';
import { type Journal, type JournalItem, type RunOptions } from '../../features/bulk/index.ts';
import { queueSettings } from '../../features/queue-settings/index.ts';
import {
  journalResources,
  requireSameResources,
  runResources,
  type ResourceChange,
  type ResourceKind,
} from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';
import { assignmentRows, settingRow, type AssignmentRow } from './assignment.rows.ts';
import type { SettingsPlan } from './settings.ts';
import { changeStatusOf } from '../../runtime/change-status.ts';

/** The members of a plan, as stored in the run that changes its settings, for resuming both. */
export interface MembersToFollow {
  readonly plan: PlanDocument;
  readonly limits: readonly PlanLimits[];
  readonly title: string;
}

/** Replaces the temporary IDs of created queues in a plan of members. */
export function withCreatedIds<P extends Pick<ComputedPlan, 'plan' | 'before'>>(
  planned: P,
  ids: ReadonlyMap<string, string>,
): P {
  if (ids.size === 0) return planned;
  const idOf = (id: string): string => ids.get(id) ?? id;
  const changes = planned.plan.changes.map((change) => ({
    ...change,
    queue: { ...change.queue, id: idOf(String(change.queue.id)) },
  }));
  return {
    ...planned,
    plan: { ...planned.plan, changes },
    before: new Map([...planned.before].map(([id, agents]) => [idOf(id), agents])),
  };
}

/** The parts of a run that changes the settings in a file. */
export interface SettingsRun {
  readonly ctx: Context;
  readonly api: Client;
  readonly journal: Journal;
  readonly settings: SettingsPlan;
  readonly title: string;
  readonly options: RunOptions;
  /** Whether the settings were read some time ago. */
  readonly isOld: boolean;
  /** The members of the same plan, which follow the settings. */
  readonly members?: MembersToFollow | undefined;
  readonly report: SettingRows['report'];
}

/**
 * Changes the settings of a plan, and reports the results. Returns the IDs of created queues by their temporary IDs.
 * @throws the error of a run that did not make all changes, after it has reported the results.
 */
export async function runSettings({
  ctx,
  api,
  journal,
  settings,
  title,
  options,
  isOld,
  members,
  report,
}: SettingsRun): Promise<{
  readonly ids: ReadonlyMap<string, string>;
  /** ID of the run; undefined if no setting changes. */
  readonly run?: string;
}> {
  const { changes, unchanged } = settings.plan;
  if (changes.length === 0) return { ids: new Map() };
  const kind = queueSettings(ctx, api);
  if (isOld) await requireSameResources(ctx, kind, changes);
  const run = journalResources(ctx, journal, kind, changes, {
    title: `${title}: settings`,
    unchanged: unchanged.length,
    limits: settings.limits,
    following: members,
  });
  const { results: _, ...others } = options;
  const ids = await runResources({ ctx, kind, journal, run, options: others, report });
  return { ids, run };
}

/** Takes rows that nothing else shows afterwards. */
export type TakeRows = () => readonly AssignmentRow[];

/** The rows of changed settings, which the report of the members shows first. */
export interface SettingRows {
  /** Adds the rows of a run of settings. */
  readonly report: (items: readonly JournalItem<ResourceChange>[]) => Promise<void>;
  readonly take: TakeRows;
}

/**
 * Runs work that changes settings and then members. If it fails before it has taken the rows of the settings, the rows are
 * shown before the error.
 */
export async function withSettingRows<T>(
  { out }: Pick<Context, 'out'>,
  work: (rows: SettingRows) => Promise<T>,
): Promise<T> {
  const rows: AssignmentRow[] = [];
  const take: TakeRows = () => rows.splice(0);
  const report: SettingRows['report'] = (items) => {
    rows.push(...settingRows(items));
    return Promise.resolve();
  };
  try {
    return await work({ report, take });
  } catch (error) {
    const left = take();
    if (left.length > 0) await out.list(left, assignmentRows.list);
    throw error;
  }
}

/** Returns the rows of changes: one for each setting. */
function settingRows(items: readonly JournalItem<ResourceChange>[]): readonly AssignmentRow[] {
  return items.flatMap((item) =>
    Object.keys(item.payload.after).map((name) => settingRow(item.payload, name, changeStatusOf(item))),
  );
}

/** Returns the IDs of created queues by their temporary IDs. */
export async function createdIds(
  kind: ResourceKind,
  changes: readonly ResourceChange[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const created = changes.filter(({ action }) => action === 'create');
  if (created.length === 0) return new Map();
  const present = await kind.read(created, signal);
  return new Map([...present].map(([key, { id }]) => [key, id]));
}
