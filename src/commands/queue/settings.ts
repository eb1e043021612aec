import type { Client } from '../../client/index.ts';
import type { Extension } from '../../contract/extension.ts';
import { dialects } from '../../contract/dialects.ts';
import { cellPlace, type ListContent, type ListProblem } from '../../features/bulk/index.ts';
import type { Directory } from '../../features/directory/index.ts';
import { queueFileForm, readQueueSettings } from '../../features/queue-settings/index.ts';
import {
  compareResources,
  findNumberProblems,
  guardResources,
  readResourceFile,
  requireWithinResourceLimits,
  type DesiredResource,
  type FileResource,
  type FileResources,
  type NumberHolder,
  type PresentResource,
  type ResourceChange,
  type ResourceLimits,
  type ResourcePlan,
} from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { desiredQueues } from './desired-queues.ts';
import type { PlanOptions } from './plan-options.command.ts';
import { titleOf } from '../../runtime/with-number.ts';

/** The settings of a file, compared with the service. */
export interface SettingsPlan {
  readonly plan: ResourcePlan;
  readonly limits: readonly ResourceLimits[];
  /** Number of queues with settings in the file. */
  readonly total: number;
  /** Queues that the file creates, with temporary IDs, so that their agents can be planned. */
  readonly created: readonly Extension[];
  /**
   * IDs of the queues, or temporary IDs, by the name in the file. A queue may be listed under a name that it no longer
   * has, or does not have yet. Absent in a saved plan, whose members refer to IDs.
   */
  readonly aliases?: ReadonlyMap<string, string>;
}

/** The plan of a file without settings. */
export const noSettings: SettingsPlan = {
  plan: { changes: [], unchanged: [], problems: [] },
  limits: [],
  total: 0,
  created: [],
};

/** Maximum number of queues whose settings a file may change without --max-changes. */
const defaultChanges = { given: '20%', atLeast: 5 };

/** Returns the settings in a YAML file. */
export function readSettings(content: ListContent, file: string): FileResources {
  if (typeof content !== 'string') return { resources: [], problems: [] };
  const { resources, problems } = readResourceFile(content, file === '-' ? 'stdin' : file, queueFileForm);
  const named = resources.filter(({ values, flags }) => Object.keys(values).length > 0 || flags.size > 0);
  return { resources: named, problems };
}

/**
 * Compares the settings of a file with the service.
 * @throws {CommandError} `usage` for queues that are not found, and in dialect `spec`, which has no queue settings
 */
export async function planSettings(
  ctx: Context,
  { api, directory }: { readonly api: Client; readonly directory: Directory },
  resources: readonly FileResource[],
  { maxChanges }: Pick<PlanOptions, 'maxChanges'>,
): Promise<SettingsPlan> {
  if (resources.length === 0) return noSettings;
  if (dialects[ctx.settings.dialect.value].queues !== 'call-queues') {
    throw usageError(
      'the file contains queue settings, which dialect spec does not support',
      'remove "settings:" and "create:", or use --dialect current if the service supports it',
    );
  }
  const { desired, problems, aliases } = await desiredQueues(directory, resources);
  const known = desired.flatMap(({ id }) => (id === null ? [] : [id]));
  const read = await readQueueSettings(ctx, api, known);
  const present = new Map<string, PresentResource>(
    desired.flatMap(({ id, key }) => {
      const queue = id === null ? undefined : read.get(id);
      return queue ? [[key, queue] as const] : [];
    }),
  );
  const plan = compareResources(desired, present);
  const numbers = numberProblems(desired, resources, await directory.all());
  return {
    plan: { ...plan, problems: [...problems, ...plan.problems, ...numbers] },
    limits: [settingLimits(maxChanges, defaultChanges)],
    total: desired.length,
    created: plan.changes.filter(({ action }) => action === 'create').map(plannedQueue),
    aliases,
  };
}

function numberProblems(
  desired: readonly DesiredResource[],
  resources: readonly FileResource[],
  extensions: readonly Extension[],
): readonly ListProblem[] {
  const holders = extensions.flatMap((one): readonly NumberHolder[] => {
    const { id, extensionNumber: number } = one;
    return number === undefined ? [] : [{ id: String(id), title: titleOf(one), number }];
  });
  const places = new Map(resources.map(({ values, place }) => [values['number'], place]));
  return findNumberProblems(desired, 'number', holders).map(({ resource, text }) => ({
    place: cellPlace(places.get(resource.values['number']), 'number'),
    text,
  }));
}

/** Returns the limits on changes of settings. --protect protects agents, not queues. */
export function settingLimits(
  maxChanges: string | undefined,
  fallback?: ResourceLimits['maxChanges'],
): ResourceLimits {
  return {
    maxChanges: maxChanges === undefined ? fallback : { given: maxChanges, atLeast: 0 },
    protectedIds: [],
  };
}

/** @throws {CommandError} `guarded` (exit 9) when the settings exceed a safety limit. */
export function requireNoSettingGuards({ plan: { changes }, total, limits }: SettingsPlan): void {
  for (const limit of limits) requireWithinResourceLimits(guardResources(changes, total, limit), 'queue');
}

/** Returns the number of requests that read the members and settings of the queues of a plan. */
export function presentReads(
  before: ReadonlyMap<string, unknown>,
  { total, created }: Pick<SettingsPlan, 'total' | 'created'>,
): number {
  return [...before.keys()].filter(isServiceId).length + total - created.length;
}

/** Returns whether an ID was assigned by the service, and is not the temporary ID of a planned queue. */
export function isServiceId(id: string): boolean {
  return /^\d+$/.test(id);
}

/** Returns a queue that a plan creates, with a temporary ID. */
function plannedQueue({ key, after }: ResourceChange): Extension {
  const text = (value: unknown): string =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return {
    uri: '',
    id: key,
    name: text(after['name']),
    extensionNumber: text(after['number']),
    type: 'Department',
    status: 'Enabled',
  };
}
