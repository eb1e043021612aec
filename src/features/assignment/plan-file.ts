import { parseJson, stringifyJson } from '../../platform/json.ts';
import { problemText, type ListProblem, type RunInput } from '../bulk/index.ts';
import type { ComputedPlan } from './computed-plan.ts';
import type { Guard, PlanLimits, RemovalLimit } from './guards.ts';
import { membershipJson, membershipOf } from './membership.ts';
import type { RefusedWish } from './request.ts';
import { groupByQueue, neededChanges, type Plan, type PlannedChange } from './plan.ts';

/** A plan as it is written: for people and programs, and for `queue apply`. */
export interface PlanDocument {
  readonly kind: 'ucctl-queue-plan';
  readonly version: 2;
  /** ISO 8601. */
  readonly created: string;
  readonly baseUrl: string;
  readonly summary: {
    readonly add: number;
    readonly remove: number;
    readonly unchanged: number;
    readonly queues: number;
  };
  readonly changes: readonly PlanChange[];
  /** Everything that is wrong with the list: names not found, agents who cannot take calls, contradictions. */
  readonly problems: readonly string[];
  /** Those of them for which the plan is not applied. */
  readonly contradictions: readonly string[];
  /** Rows that nothing is sent for. */
  readonly refused: readonly RefusedWish[];
  /** The safety limits that the plan was made with: they hold for whoever applies it. */
  readonly limits: {
    readonly maxRemovals: RemovalLimit | null;
    readonly allowEmpty: boolean;
    readonly protectedIds: readonly string[];
  };
  /** Those of the limits that the plan exceeded when it was made. */
  readonly guards: readonly Guard[];
  /** Members of the queues when the plan was made: it is stale when they differ. */
  readonly before: Readonly<Record<string, readonly string[]>>;
  readonly input: RunInput;
}

/** A plan written by ucctl up to commit caa7557: its guards are sentences, and its limits are not recorded. */
interface PlanDocument1 extends Omit<
  PlanDocument,
  'version' | 'contradictions' | 'refused' | 'guards' | 'limits'
> {
  readonly version: 1;
  /** Absent in the oldest: then all problems are. */
  readonly contradictions?: readonly string[];
  readonly refused?: readonly RefusedWish[];
  readonly guards?: readonly string[];
}

interface PlanChange {
  readonly queue: string;
  readonly queueName: string;
  readonly extension: string;
  readonly agentName: string;
  readonly action: 'add' | 'remove' | 'none';
  readonly wish: 'add' | 'remove';
  readonly queueId: string;
  readonly agentId: string;
  readonly rows: readonly number[];
}

/** A plan that was read from a file. */
export interface SavedPlan extends Omit<ComputedPlan, 'untrimmed' | 'failures'> {
  readonly baseUrl: string;
}

/** The document of a plan, made now for a service. */
export function toPlanDocument(
  computed: ComputedPlan,
  { baseUrl, now }: { readonly baseUrl: string; readonly now: number },
): PlanDocument {
  const { plan, limits } = computed;
  const needed = neededChanges(plan);
  const add = needed.filter(({ action }) => action === 'add').length;
  return {
    kind: 'ucctl-queue-plan',
    version: 2,
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
    refused: plan.refused,
    limits: { ...limits, maxRemovals: limits.maxRemovals ?? null },
    guards: computed.guards,
    before: membershipJson(computed.before),
    input: computed.input,
  };
}

function toPlanChange({ queue, agent, action, needed, rows = [] }: PlannedChange): PlanChange {
  return {
    queue: queue.extensionNumber ?? String(queue.id),
    queueName: queue.name,
    extension: agent.extensionNumber ?? String(agent.id),
    agentName: agent.name,
    action: needed ? action : 'none',
    wish: action,
    queueId: String(queue.id),
    agentId: String(agent.id),
    rows,
  };
}

/** The text of a plan file: JSON, ids with all their digits. */
export function writePlan(document: PlanDocument): string {
  return `${stringifyJson(document, 2)}\n`;
}

/** Whether a text is a saved plan rather than a list. */
export function looksLikePlan(text: string): boolean {
  return /^\s*\{/.test(text) && text.includes('"ucctl-queue-plan"');
}

/** Reads a plan file of this version or of version 1. @throws {RangeError} with a sentence for the user. */
export function readPlan(text: string): SavedPlan {
  const document = readDocument(text);
  const { baseUrl, input } = document;
  const before = membershipOf(document.before);
  const problems = document.problems.map(asProblem);
  const contradictions = document.contradictions ?? document.problems;
  const plan: Plan = {
    changes: document.changes.map(toChange),
    problems: contradictions.map(asProblem),
    refused: document.refused ?? [],
  };
  return { plan, before, input, baseUrl, problems, ...safetyOf(document) };
}

/** The texts of a plan file begin with their places. */
function asProblem(text: string): ListProblem {
  return { place: undefined, text };
}

/** A plan of version 1 without guards kept its limits, whatever they were. One with guards exceeded them, and still does. */
function safetyOf(document: PlanDocument | PlanDocument1): {
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

function readDocument(text: string): PlanDocument | PlanDocument1 {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new RangeError(`it is not JSON: ${(error as Error).message}`, { cause: error });
  }
  const document = value as Partial<PlanDocument> | Partial<PlanDocument1>;
  if (document.kind !== 'ucctl-queue-plan') throw new RangeError('it is not a plan of ucctl');
  if (document.version !== 1 && document.version !== 2) {
    throw new RangeError(
      `it is a plan of version ${String((document as { version?: unknown }).version)}; this ucctl reads versions 1 and 2`,
    );
  }
  const { changes, before, problems, input } = document;
  const isWhole = Array.isArray(changes) && Array.isArray(problems) && isObject(before) && isObject(input);
  const hasLimits = document.version === 1 || ('limits' in document && areLimits(document.limits));
  if (!isWhole || !hasLimits) throw new RangeError('it is a plan with parts missing');
  return document as PlanDocument | PlanDocument1;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A plan whose limits cannot be read must not be taken for one without limits. */
function areLimits(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { maxRemovals, allowEmpty, protectedIds } = value as Readonly<Record<string, unknown>>;
  return (
    (maxRemovals === null || isRemovalLimit(maxRemovals)) &&
    typeof allowEmpty === 'boolean' &&
    Array.isArray(protectedIds)
  );
}

function isRemovalLimit(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { given, atLeast } = value as Readonly<Record<string, unknown>>;
  return typeof given === 'string' && /^\d{1,9}%?$/.test(given) && typeof atLeast === 'number';
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
    action: change.wish,
    needed: change.action !== 'none',
    rows: change.rows,
  };
}

function numberOf(shown: string, id: string): string | undefined {
  return shown === id ? undefined : shown;
}
