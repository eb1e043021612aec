import { parseJson, stringifyJson } from '../../platform/json.ts';
import type { RunInput } from '../bulk/index.ts';
import { membershipJson, membershipOf } from './membership.ts';
import type { RefusedWish } from './request.ts';
import { groupByQueue, neededChanges, type Membership, type Plan, type PlannedChange } from './plan.ts';

/** A plan as people and programs read it, and as `queue apply` takes it back. */
export interface PlanDocument {
  readonly kind: 'ucctl-queue-plan';
  readonly version: 1;
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
  /** Everything that is wrong with the list, for people: names that lead nowhere, agents who cannot take calls, contradictions. */
  readonly problems: readonly string[];
  /** Those of them for which the plan is not applied. Absent in a plan of an older version: then it is all of them. */
  readonly contradictions?: readonly string[];
  /** Rows that nothing is sent for. */
  readonly refused?: readonly RefusedWish[];
  /** What a guard refuses, with the flag that allows it. */
  readonly guards: readonly string[];
  /** Members of the queues when the plan was made: it is stale when they differ. */
  readonly before: Readonly<Record<string, readonly string[]>>;
  readonly input: RunInput;
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

export interface PlanFacts {
  readonly plan: Plan;
  readonly before: Membership;
  readonly input: RunInput;
  readonly baseUrl: string;
  readonly now: number;
  readonly problems: readonly string[];
  readonly guards: readonly string[];
}

/** A plan as it is saved. */
export function toPlanDocument(facts: PlanFacts): PlanDocument {
  const { plan } = facts;
  const needed = neededChanges(plan);
  const add = needed.filter(({ action }) => action === 'add').length;
  return {
    kind: 'ucctl-queue-plan',
    version: 1,
    created: new Date(facts.now).toISOString(),
    baseUrl: facts.baseUrl,
    summary: {
      add,
      remove: needed.length - add,
      unchanged: plan.changes.length - needed.length,
      queues: groupByQueue(needed).length,
    },
    changes: plan.changes.map(toPlanChange),
    problems: facts.problems,
    contradictions: plan.problems,
    refused: plan.refused,
    guards: facts.guards,
    before: membershipJson(facts.before),
    input: facts.input,
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

/** The text of a saved plan: JSON, ids with all their digits. */
export function writePlan(document: PlanDocument): string {
  return `${stringifyJson(document, 2)}\n`;
}

/** Whether a text is a saved plan rather than a list. */
export function looksLikePlan(text: string): boolean {
  return /^\s*\{/.test(text) && text.includes('"ucctl-queue-plan"');
}

/** Reads a saved plan. @throws {RangeError} with a sentence for the user when it is none. */
export function readPlan(text: string): PlanDocument {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new RangeError(`it is no JSON: ${(error as Error).message}`, { cause: error });
  }
  const document = value as Partial<PlanDocument>;
  if (document.kind !== 'ucctl-queue-plan' || document.version !== 1) {
    throw new RangeError('it is no plan of this version of ucctl');
  }
  if (!Array.isArray(document.changes) || typeof document.before !== 'object') {
    throw new RangeError('it is a plan with parts missing');
  }
  return document as PlanDocument;
}

/** The plan and the members that it was made for. */
export function planOf(document: PlanDocument): { readonly plan: Plan; readonly before: Membership } {
  const changes = document.changes.map((change): PlannedChange => ({
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
  }));
  const { contradictions, refused = [], problems } = document;
  const plan = { changes, problems: contradictions ?? problems, refused };
  return { plan, before: membershipOf(document.before) };
}

function numberOf(shown: string, id: string): string | undefined {
  return shown === id ? undefined : shown;
}
