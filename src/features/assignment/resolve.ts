import type { Extension } from '../../contract/extension.ts';
import type { Lookup, NameMiss } from '../../runtime/lookup.ts';
import { cellPlace, problemText, type ListProblem } from '../bulk/index.ts';
import { titleOf, type ResolvedRequest } from './plan.ts';
import { refuse, type AssignmentRequest, type RefusedWish, type WantedQueue } from './request.ts';

/** Answers questions about names. */
export interface Names {
  queue(text: string): Promise<Lookup>;
  agent(text: string): Promise<Lookup>;
}

export interface ResolveResult {
  readonly resolved: readonly ResolvedRequest[];
  /** The queues of which the list says who is in them, without those where it does not say it of everyone. */
  readonly wanted: readonly Extension[];
  /** Why queues of the list are not among them: nobody may lose a place to a misspelled name. */
  readonly untrimmed: readonly string[];
  /** Every name that led nowhere, each once for every place where it stands. */
  readonly failures: readonly { readonly problem: ListProblem; readonly failure: NameMiss }[];
  /** The wishes that hold one of them. */
  readonly refused: readonly RefusedWish[];
}

/** Finds the queue and the agent of every request; collects all that cannot be found. */
export async function resolveRequests(
  requests: readonly AssignmentRequest[],
  wanted: readonly WantedQueue[],
  names: Names,
): Promise<ResolveResult> {
  const resolution = new Resolution(names);
  const asked = new Set(requests.map(({ queue }) => queue));
  // A queue that rows name is reported by them.
  for (const queue of wanted) await resolution.addWanted(queue, !asked.has(queue.queue));
  for (const request of requests) await resolution.addRequest(request);
  return resolution.finish();
}

/** What of a list was found so far, and what was not. */
class Resolution {
  // A big list names few queues and each agent often: ask once for every word.
  readonly #queueOf: Names['queue'];
  readonly #agentOf: Names['agent'];
  readonly #resolved: ResolvedRequest[] = [];
  readonly #refused: RefusedWish[] = [];
  readonly #failures = new Map<string, ResolveResult['failures'][number]>();
  /** Queues that the list says all members of. */
  readonly #wanted = new Map<string, Extension>();
  /** Queues with a row whose agent was not found. */
  readonly #doubtful = new Map<string, Extension>();
  #hasLostQueue = false;

  constructor(names: Names) {
    this.#queueOf = remembered((text) => names.queue(text));
    this.#agentOf = remembered((text) => names.agent(text));
  }

  async addWanted({ queue: text, place }: WantedQueue, isReported: boolean): Promise<void> {
    const queue = await this.#queueOf(text);
    if (queue.found) {
      this.#wanted.set(String(queue.found.id), queue.found);
      return;
    }
    this.#hasLostQueue = true;
    const problem = { place: cellPlace(place, 'queue'), text: queue.message };
    this.#fail(problem, queue);
    if (!isReported) return;
    this.#refused.push({
      queue: text,
      agent: '',
      action: 'remove',
      row: undefined,
      code: codeOf(queue),
      ...(problem.place && { place: problem.place }),
      message: problem.text,
    });
  }

  async addRequest(request: AssignmentRequest): Promise<void> {
    const queue = await this.#queueOf(request.queue);
    const agent = await this.#agentOf(request.agent);
    if (queue.found && agent.found) {
      this.#resolved.push({ request, queue: queue.found, agent: agent.found });
      return;
    }
    if (queue.found) this.#doubtful.set(String(queue.found.id), queue.found);
    const queuePlace = cellPlace(request.queuePlace ?? request.place, 'queue');
    const missing = [
      ...(queue.found ? [] : [{ place: queuePlace, failure: queue }]),
      ...(agent.found ? [] : [{ place: cellPlace(request.place, 'extension'), failure: agent }]),
    ].map(({ place, failure }) => ({ problem: { place, text: failure.message }, failure }));
    for (const { problem, failure } of missing) this.#fail(problem, failure);
    const [first, second] = missing;
    if (!first) return;
    const { place, text } = first.problem;
    const message = second ? `${text}; ${problemText(second.problem)}` : text;
    this.#refused.push(refuse(request, codeOf(first.failure), { place, message }));
  }

  finish(): ResolveResult {
    const isLost = this.#hasLostQueue;
    const wanted = [...this.#wanted.values()];
    return {
      resolved: this.#resolved,
      wanted: isLost ? [] : wanted.filter(({ id }) => !this.#doubtful.has(String(id))),
      untrimmed: this.#skippedRemovals(),
      failures: [...this.#failures.values()],
      refused: this.#refused,
    };
  }

  #skippedRemovals(): readonly string[] {
    if (this.#hasLostQueue) return ['nobody is removed: a queue of the list was not found'];
    const doubtful = this.#wanted.size === 0 ? [] : [...this.#doubtful.values()];
    return doubtful.map((queue) => `nobody is removed from ${titleOf(queue)}: a row of it names nobody`);
  }

  #fail(problem: ListProblem, failure: NameMiss): void {
    this.#failures.set(problemText(problem), { problem, failure });
  }
}

function codeOf({ kind }: NameMiss): string {
  return kind === 'ambiguous' ? 'ambiguous_name' : 'not_found';
}

function remembered(ask: (text: string) => Promise<Lookup>): (text: string) => Promise<Lookup> {
  const answers = new Map<string, Promise<Lookup>>();
  return (text) => {
    const known = answers.get(text) ?? ask(text);
    answers.set(text, known);
    return known;
  };
}
