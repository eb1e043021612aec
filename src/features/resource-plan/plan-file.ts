import { isJsonObject, stringifyJson } from '../../platform/json.ts';
import type { ResourceChange, ResourceKind, ResourcePlan } from './change.ts';
import {
  areResourceLimits,
  guardResources,
  sizeOf,
  type ResourceGuard,
  type ResourceLimits,
} from './limits.ts';
import { isRunInput, parsePlan, problemText, unreadableVersion, type RunInput } from '../bulk/index.ts';

/** A plan as JSON: the output of a plan command and the input of its apply command. */
export interface ResourcePlanDocument {
  readonly kind: 'ucctl-resource-plan';
  readonly version: 1;
  /** The kind of resource, such as `queue.settings`. */
  readonly of: string;
  /** Time of the plan in ISO 8601 format. */
  readonly created: string;
  readonly baseUrl: string;
  readonly summary: { readonly create: number; readonly update: number; readonly unchanged: number };
  readonly changes: readonly ResourceChange[];
  /** Number of resources in the file, to which percentages refer. */
  readonly total: number;
  readonly problems: readonly string[];
  /** The safety limits of the plan; they also apply when the plan is applied. */
  readonly limits: ResourceLimits;
  /** The limits that the plan exceeded when it was made. */
  readonly guards: readonly ResourceGuard[];
  /** The rows of the table, for the results file. Absent for a file without rows, and in plans of an older version. */
  readonly input?: RunInput;
}

/** Creates the document of a plan for a service. */
export function toResourcePlanDocument(
  kind: Pick<ResourceKind, 'run'>,
  plan: ResourcePlan,
  {
    baseUrl,
    now,
    limits,
    input,
  }: {
    readonly baseUrl: string;
    readonly now: number;
    readonly limits: ResourceLimits;
    readonly input?: RunInput | undefined;
  },
): ResourcePlanDocument {
  const create = plan.changes.filter(({ action }) => action === 'create').length;
  const total = sizeOf(plan);
  return {
    kind: 'ucctl-resource-plan',
    version: 1,
    of: kind.run,
    created: new Date(now).toISOString(),
    baseUrl,
    summary: { create, update: plan.changes.length - create, unchanged: plan.unchanged.length },
    changes: plan.changes,
    total,
    problems: plan.problems.map(problemText),
    limits,
    guards: guardResources(plan.changes, total, limits),
    ...(input && { input }),
  };
}

/** Returns the text of a plan file. */
export function writeResourcePlan(document: ResourcePlanDocument): string {
  return `${stringifyJson(document, 2)}\n`;
}

/** Whether a text is a saved plan rather than a desired state. */
export function looksLikeResourcePlan(text: string): boolean {
  return /^\s*\{/.test(text) && text.includes('"ucctl-resource-plan"');
}

/** Reads a plan file of one kind of resource. @throws {RangeError} with a message for the user. */
export function readResourcePlan(text: string, { run }: Pick<ResourceKind, 'run'>): ResourcePlanDocument {
  const document = parsePlan(text) as Partial<ResourcePlanDocument>;
  if (document.kind !== 'ucctl-resource-plan') throw new RangeError('the file is not a ucctl plan');
  if (document.version !== 1) {
    throw unreadableVersion(document, 'version 1');
  }
  const { of, changes, limits, baseUrl, total, input } = document;
  if (typeof of !== 'string') throw new RangeError('the plan is incomplete');
  if (of !== run) throw new RangeError(`the file is a plan of ${of}, not of ${run}`);
  const isWhole = areChanges(changes) && typeof baseUrl === 'string' && typeof total === 'number';
  const hasInput = input === undefined || isRunInput(input);
  if (!areResourceLimits(limits) || !isWhole || !hasInput) throw new RangeError('the plan is incomplete');
  return document as ResourcePlanDocument;
}

/** Whether a value is a list of changes, each with all of its members. */
export function areChanges(value: unknown): value is readonly ResourceChange[] {
  return (
    Array.isArray(value) &&
    value.every(
      (item) =>
        isJsonObject(item) &&
        (item['action'] === 'create' || item['action'] === 'update') &&
        (item['id'] === null || typeof item['id'] === 'string') &&
        typeof item['key'] === 'string' &&
        typeof item['title'] === 'string' &&
        isJsonObject(item['before']) &&
        isJsonObject(item['after']),
    )
  );
}
