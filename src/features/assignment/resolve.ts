import type { Extension } from '../../contract/extension.ts';
import type { Lookup, FailedLookup } from '../../runtime/lookup.ts';
import { cellPlace, furtherText, problemText, type ListProblem } from '../bulk/index.ts';
import type { ResolvedRequest } from './plan.ts';
import {
  skip,
  type AssignmentRequest,
  type DesiredQueue,
  type ListedAgent,
  type ReadResult,
  type SkippedRequest,
} from './request.ts';
import { titleOf } from '../../runtime/with-number.ts';

/** Looks up queues and agents by name. */
export interface Names {
  queue(text: string): Promise<Lookup>;
  agent(text: string): Promise<Lookup>;
}

export interface ResolveResult {
  readonly resolved: readonly ResolvedRequest[];
  /** Queues of the desired state in whose rows all names were found. Only their unlisted members may be removed. */
  readonly desired: readonly Extension[];
  /** Reasons why no agents are removed from the other queues: a misspelled name must not cause a removal. */
  readonly removalsSkipped: readonly string[];
  /** Names that were not found, one entry for each place. */
  readonly failures: readonly { readonly problem: ListProblem; readonly failure: FailedLookup }[];
  /** Requests with a name that was not found. */
  readonly skipped: readonly SkippedRequest[];
  /** Queues with several entries, and agents with several rows that differ. */
  readonly contradictions: readonly ListProblem[];
}

/** Looks up the queue and the agent of every request, and collects all names that are not found. */
export async function resolveRequests(
  { requests, desired, agents = [] }: Pick<ReadResult, 'requests' | 'desired' | 'agents'>,
  names: Names,
): Promise<ResolveResult> {
  const resolution = new Resolution(names);
  const asked = new Set(requests.map(({ queue }) => queue));
  // The rows of the queue report a queue of the desired state that was not found.
  for (const queue of desired) await resolution.addWanted(queue, !asked.has(queue.queue));
  for (const request of requests) await resolution.addRequest(request);
  for (const row of agents) await resolution.addAgent(row);
  return resolution.finish();
}

/** Looks up the names of a list, and collects the names that were not found. */
class Resolution {
  // Caches the lookup of each name, because names repeat in a long list.
  readonly #queueOf: Names['queue'];
  readonly #agentOf: Names['agent'];
  readonly #resolved: ResolvedRequest[] = [];
  readonly #skipped: SkippedRequest[] = [];
  readonly #failures = new Map<string, ResolveResult['failures'][number]>();
  /** Queues of the desired state with their first entry, by ID. */
  readonly #desired = new Map<string, { readonly found: Extension; readonly entry: DesiredQueue }>();
  /** First rows of the agents of a matrix, by ID. */
  readonly #agents = new Map<string, ListedAgent>();
  readonly #contradictions: ListProblem[] = [];
  /** Queues with a row whose agent was not found, by ID. */
  readonly #incomplete = new Map<string, Extension>();
  #hasUnknownQueue = false;

  constructor(names: Names) {
    this.#queueOf = memoized((text) => names.queue(text));
    this.#agentOf = memoized((text) => names.agent(text));
  }

  async addWanted(entry: DesiredQueue, isReported: boolean): Promise<void> {
    const { queue: text, place } = entry;
    const queue = await this.#queueOf(text);
    if (queue.found) {
      this.#addFound(queue.found, entry);
      return;
    }
    this.#hasUnknownQueue = true;
    const problem = { place: cellPlace(place, 'queue'), text: queue.message };
    this.#fail(problem, queue);
    if (!isReported) return;
    this.#skipped.push({
      queue: text,
      agent: '',
      action: 'remove',
      row: undefined,
      code: codeOf(queue),
      ...(problem.place && { place: problem.place }),
      message: problem.text,
    });
  }

  #addFound(found: Extension, entry: DesiredQueue): void {
    const id = String(found.id);
    const first = this.#desired.get(id)?.entry;
    if (!first) this.#desired.set(id, { found, entry });
    else if (entry.isWhole) {
      const text = `${titleOf(found)} is listed twice; the first entry is "${first.queue}" on line ${first.place?.line}`;
      this.#contradictions.push({ place: cellPlace(entry.place, 'queue'), text });
    }
  }

  /** Compares the rows of an agent. A row without marks may have an unknown name, because it adds nobody. */
  async addAgent(row: ListedAgent): Promise<void> {
    const { found } = await this.#agentOf(row.agent);
    if (!found) return;
    const id = String(found.id);
    const first = this.#agents.get(id) ?? row;
    this.#agents.set(id, first);
    if (first.queues.join('\n') === row.queues.join('\n')) return;
    const text = `${titleOf(found)} is listed twice; line ${first.place.line} has other marks`;
    this.#contradictions.push({ place: cellPlace(row.place, 'extension'), text });
  }

  async addRequest(request: AssignmentRequest): Promise<void> {
    const queue = await this.#queueOf(request.queue);
    const agent = await this.#agentOf(request.agent);
    if (queue.found && agent.found) {
      this.#resolved.push({ request, queue: queue.found, agent: agent.found });
      return;
    }
    if (queue.found) this.#incomplete.set(String(queue.found.id), queue.found);
    const queuePlace = cellPlace(request.queuePlace ?? request.place, 'queue');
    const missing = [
      ...(queue.found ? [] : [{ place: queuePlace, failure: queue }]),
      ...(agent.found ? [] : [{ place: cellPlace(request.place, 'extension'), failure: agent }]),
    ].map(({ place, failure }) => ({ problem: { place, text: failure.message }, failure }));
    for (const { problem, failure } of missing) this.#fail(problem, failure);
    const [first, second] = missing;
    if (!first) return;
    const { place, text } = first.problem;
    const message = second ? `${text}; ${furtherText(second.problem)}` : text;
    this.#skipped.push(skip(request, codeOf(first.failure), { place, message }));
  }

  finish(): ResolveResult {
    const hasUnknownQueue = this.#hasUnknownQueue;
    const desired = [...this.#desired.values()].map(({ found }) => found);
    return {
      resolved: this.#resolved,
      desired: hasUnknownQueue ? [] : desired.filter(({ id }) => !this.#incomplete.has(String(id))),
      removalsSkipped: this.#skippedRemovals(),
      failures: [...this.#failures.values()],
      skipped: this.#skipped,
      contradictions: this.#contradictions,
    };
  }

  #skippedRemovals(): readonly string[] {
    if (this.#hasUnknownQueue) return ['no agents are removed: a queue of the list was not found'];
    const incomplete = this.#desired.size === 0 ? [] : [...this.#incomplete.values()];
    return incomplete.map(
      (queue) => `no agents are removed from ${titleOf(queue)}: an agent in its rows was not found`,
    );
  }

  #fail(problem: ListProblem, failure: FailedLookup): void {
    this.#failures.set(problemText(problem), { problem, failure });
  }
}

function codeOf({ kind }: FailedLookup): string {
  return kind === 'ambiguous' ? 'ambiguous_name' : 'not_found';
}

function memoized(ask: (text: string) => Promise<Lookup>): (text: string) => Promise<Lookup> {
  const answers = new Map<string, Promise<Lookup>>();
  return (text) => {
    const known = answers.get(text) ?? ask(text);
    answers.set(text, known);
    return known;
  };
}
