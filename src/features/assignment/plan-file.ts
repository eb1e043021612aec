import type { Extension } from '../../contract/extension.ts';
import { stringifyJson } from '../../platform/json.ts';
import {
  parsePlan,
  problemText,
  unreadableVersion,
  type ListProblem,
  type RequestCounts,
  type RunInput,
} from '../bulk/index.ts';
import {
  areChanges,
  areResourceLimits,
  type ResourceLimits,
  type ResourcePlan,
} from '../resource-plan/index.ts';
import type { ComputedPlan } from './computed-plan.ts';
import type { Guard, PlanLimits, RemovalLimit } from './guards.ts';
import { isWholePlan, type VersionedNames } from './plan-check.ts';
import { membershipJson, membershipOf } from './membership.ts';
import type { SkippedRequest } from './request.ts';
import { groupByQueue, neededChanges, type Plan, type PlannedChange } from './plan.ts';

/** A plan as JSON: the output of `queue plan` and the input of `queue apply`. */
export interface PlanDocument {
  readonly kind: 'ucctl-queue-plan';
  readonly version: 3;
  /** Time of the plan in ISO 8601 format. */
  readonly created: string;
  readonly baseUrl: string;
  readonly summary: {
    readonly add: number;
    readonly remove: number;
    readonly unchanged: number;
    readonly queues: number;
  };
  readonly changes: readonly PlanChange[];
  /** All problems of the list: names not found, agents who cannot take calls, and contradictions. */
  readonly problems: readonly string[];
  /** The contradictions among the problems. A plan with a contradiction is not applied. */
  readonly contradictions: readonly string[];
  /** Rows that `queue apply` skips. */
  readonly skipped: readonly PlanSkip[];
  /** The safety limits of the plan; they also apply when the plan is applied. */
  readonly limits: {
    readonly maxRemovals: RemovalLimit | null;
    readonly allowEmpty: boolean;
    readonly protectedIds: readonly string[];
  };
  /** The limits that the plan exceeded when it was made. */
  readonly guards: readonly Guard[];
  /** Members of the queues when the plan was made. If the current members differ, the plan is stale. */
  readonly before: Readonly<Record<string, readonly string[]>>;
  readonly input: RunInput;
  /**
   * Number of requests in each usage group, and the time they take at the rate limits. Absent in plans of older
   * versions.
   */
  readonly requests?: RequestCounts & { readonly seconds: number };
  /** Settings of queues, which are changed before the members. Absent if the file has no settings. */
  readonly settings?: PlannedSettings | undefined;
}

/** The settings of a plan. */
export interface PlannedSettings {
  readonly plan: ResourcePlan;
  readonly limits: readonly ResourceLimits[];
  /** Number of queues with settings in the file. */
  readonly total: number;
  /** Queues that the plan creates, with temporary IDs. */
  readonly created: readonly Extension[];
}

/** A plan written by ucctl up to commit 561231b0, with other names for some members. */
interface PlanDocument2 extends Omit<PlanDocument, 'version' | 'skipped' | 'changes'> {
  readonly version: 2;
  readonly refused: readonly SkippedRequest[];
  readonly changes: readonly PlanChange2[];
}

/** A plan written by ucctl up to commit caa7557: its guards are sentences, and its limits are not recorded. */
interface PlanDocument1 extends Omit<
  PlanDocument2,
  'version' | 'contradictions' | 'refused' | 'guards' | 'limits'
> {
  readonly version: 1;
  /** Absent in the oldest plans, in which every problem counts as a contradiction. */
  readonly contradictions?: readonly string[];
  readonly refused?: readonly SkippedRequest[];
  readonly guards?: readonly string[];
}

type AnyPlanDocument = PlanDocument | PlanDocument2 | PlanDocument1;

/** Names in plans of versions 1 and 2. */
const olderNames: VersionedNames = { requested: 'wish', skipped: 'refused' };

/** A skipped row of a plan. */
interface PlanSkip extends Omit<SkippedRequest, 'row'> {
  /** Line in the list, from 1. Absent for a request without a list. In plans without `index`: index in the input. */
  readonly row?: number | undefined;
  /** Index in the input. Absent in plans written up to commit 193cd42a, and for a request without a row. */
  readonly index?: number | undefined;
}

interface PlanChange {
  readonly queue: string;
  readonly queueName: string;
  readonly extension: string;
  readonly agentName: string;
  readonly action: 'add' | 'remove' | 'none';
  readonly requested: 'add' | 'remove';
  readonly queueId: string;
  readonly agentId: string;
  readonly rows: readonly number[];
}

/** A change that a plan file of version 1 or 2 contains. */
type PlanChange2 = Omit<PlanChange, 'requested'> & { readonly wish: PlanChange['requested'] };

/** A plan that was read from a file. */
export interface SavedPlan extends Omit<ComputedPlan, 'removalsSkipped' | 'failures'> {
  readonly baseUrl: string;
  readonly settings?: PlannedSettings;
}

/** Returns the document of a plan for a service, created now. */
export function toPlanDocument(
  computed: ComputedPlan,
  {
    baseUrl,
    now,
    requests,
    settings,
  }: {
    readonly baseUrl: string;
    readonly now: number;
    readonly requests: NonNullable<PlanDocument['requests']>;
    readonly settings: PlannedSettings | undefined;
  },
): PlanDocument {
  const { plan, limits } = computed;
  const needed = neededChanges(plan);
  const add = needed.filter(({ action }) => action === 'add').length;
  return {
    kind: 'ucctl-queue-plan',
    version: 3,
    created: new Date(now).toISOString(),
    baseUrl,
    summary: {
      add,
      remove: needed.length - add,
      unchanged: plan.changes.length - needed.length,
      queues: groupByQueue(needed).length,
    },
    changes: plan.changes.map(toPlanChange),
    problems: computed.problems.map(problemText),
    contradictions: plan.problems.map(problemText),
    skipped: plan.skipped.map(toPlanSkip),
    limits: { ...limits, maxRemovals: limits.maxRemovals ?? null },
    guards: computed.guards,
    before: membershipJson(computed.before),
    input: computed.input,
    requests,
    ...(settings && { settings }),
  };
}

function toPlanSkip({ row: index, ...skipped }: SkippedRequest): PlanSkip {
  return { ...skipped, row: skipped.place?.line, index };
}

function toSkippedRequest({ row, index = row, ...skipped }: PlanSkip): SkippedRequest {
  return { ...skipped, row: index };
}

function toPlanChange({ queue, agent, action, needed, rows = [] }: PlannedChange): PlanChange {
  return {
    queue: queue.extensionNumber ?? String(queue.id),
    queueName: queue.name,
    extension: agent.extensionNumber ?? String(agent.id),
    agentName: agent.name,
    action: needed ? action : 'none',
    requested: action,
    queueId: String(queue.id),
    agentId: String(agent.id),
    rows,
  };
}

/** Returns the text of a plan file: JSON, in which IDs have all their digits. */
export function writePlan(document: PlanDocument): string {
  return `${stringifyJson(document, 2)}\n`;
}

/** Whether a text is a saved plan rather than a list. */
export function looksLikePlan(text: string): boolean {
  return /^\s*\{/.test(text) && text.includes('"ucctl-queue-plan"');
}

/** Reads a plan file of this version or of an older version. @throws {RangeError} with a sentence for the user. */
export function readPlan(text: string): SavedPlan {
  const document = readDocument(text);
  const { baseUrl, input } = document;
  const before = membershipOf(document.before);
  const problems = document.problems.map(asProblem);
  const contradictions = document.contradictions ?? document.problems;
  const plan: Plan = {
    changes: changesOf(document).map(toChange),
    problems: contradictions.map(asProblem),
    skipped: (document.version === 3 ? document.skipped.map(toSkippedRequest) : document.refused) ?? [],
  };
  const settings = settingsOf(document);
  return { plan, before, input, baseUrl, problems, ...safetyOf(document), ...(settings && { settings }) };
}

/** Returns the settings of a plan. A plan with unreadable settings must not be applied as if it had none. */
function settingsOf(document: AnyPlanDocument): PlannedSettings | undefined {
  if (!('settings' in document) || document.settings === undefined) return undefined;
  const { plan, limits, total, created } = document.settings as Partial<PlannedSettings>;
  const isWhole =
    areChanges(plan?.changes) &&
    Array.isArray(limits) &&
    limits.every(areResourceLimits) &&
    Array.isArray(created);
  if (!isWhole || typeof total !== 'number') throw new RangeError('the plan is incomplete');
  return document.settings;
}

function changesOf(document: AnyPlanDocument): readonly PlanChange[] {
  if (document.version === 3) return document.changes;
  return document.changes.map(({ wish, ...change }) => ({ ...change, requested: wish }));
}

/** Returns a problem from a plan file, in which the text of a problem already begins with its place. */
function asProblem(text: string): ListProblem {
  return { place: undefined, text };
}

/**
 * Limits and guards of a plan. A plan of version 1 has no limits, but a sentence for each limit that it exceeded when
 * it was made.
 */
function safetyOf(document: AnyPlanDocument): {
  readonly limits: PlanLimits;
  readonly guards: readonly Guard[];
} {
  if (document.version === 1) {
    const guards = (document.guards ?? []).map((sentence): Guard => ({ kind: 'sentence', text: sentence }));
    return { limits: { maxRemovals: undefined, allowEmpty: true, protectedIds: [] }, guards };
  }
  const { limits, guards } = document;
  return { limits: { ...limits, maxRemovals: limits.maxRemovals ?? undefined }, guards };
}

function readDocument(text: string): AnyPlanDocument {
  const document = parsePlan(text) as Partial<AnyPlanDocument>;
  if (document.kind !== 'ucctl-queue-plan') throw new RangeError('the file is not a ucctl plan');
  const { version } = document;
  if (version !== 1 && version !== 2 && version !== 3) throw unreadableVersion(document, 'versions 1 to 3');
  const names = version === 3 ? { requested: 'requested', skipped: 'skipped' } : olderNames;
  if (!isWholePlan({ ...document }, names)) throw new RangeError('the plan is incomplete');
  return document as AnyPlanDocument;
}

function toChange(change: PlanChange): PlannedChange {
  return {
    queue: {
      id: change.queueId,
      name: change.queueName,
      extensionNumber: numberOf(change.queue, change.queueId),
    },
    agent: {
      id: change.agentId,
      name: change.agentName,
      extensionNumber: numberOf(change.extension, change.agentId),
    },
    action: change.requested,
    needed: change.action !== 'none',
    rows: change.rows,
  };
}

function numberOf(shown: string, id: string): string | undefined {
  return shown === id ? undefined : shown;
}
