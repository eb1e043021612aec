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
  const resolved: ResolvedRequest[] = [];
  const refused: RefusedWish[] = [];
  const queues = new Map<string, Extension>();
  const failures = new Map<string, ResolveResult['failures'][number]>();
  const fail = (problem: ListProblem, failure: NameMiss): void => {
    failures.set(problemText(problem), { problem, failure });
  };
  const doubtful = new Map<string, Extension>();
  let lostQueues = 0;
  // A big list names few queues and each agent often: ask once for every word.
  const queueOf = remembered((text) => names.queue(text));
  const agentOf = remembered((text) => names.agent(text));
  const asked = new Set(requests.map(({ queue }) => queue));
  for (const { queue: text, place } of wanted) {
    const queue = await queueOf(text);
    if (queue.found) {
      queues.set(String(queue.found.id), queue.found);
      continue;
    }
    lostQueues += 1;
    const problem = { place: cellPlace(place, 'queue'), text: queue.message };
    fail(problem, queue);
    // Otherwise the rows of the queue say so.
    if (!asked.has(text)) {
      refused.push({
        queue: text,
        agent: '',
        action: 'remove',
        row: undefined,
        code: codeOf(queue),
        ...(problem.place && { place: problem.place }),
        message: problem.text,
      });
    }
  }
  for (const request of requests) {
    const queue = await queueOf(request.queue);
    const agent = await agentOf(request.agent);
    if (queue.found && agent.found) {
      resolved.push({ request, queue: queue.found, agent: agent.found });
      continue;
    }
    if (queue.found) doubtful.set(String(queue.found.id), queue.found);
    const missing = [
      ...(queue.found
        ? []
        : [{ place: cellPlace(request.queuePlace ?? request.place, 'queue'), failure: queue }]),
      ...(agent.found ? [] : [{ place: cellPlace(request.place, 'extension'), failure: agent }]),
    ].map(({ place, failure }) => ({ problem: { place, text: failure.message }, failure }));
    for (const { problem, failure } of missing) fail(problem, failure);
    const [first, second] = missing;
    if (first) {
      const { place, text } = first.problem;
      const message = second ? `${text}; ${problemText(second.problem)}` : text;
      refused.push(refuse(request, codeOf(first.failure), { place, message }));
    }
  }
  const kept = wanted.length === 0 ? [] : [...doubtful.values()];
  return {
    resolved,
    wanted: lostQueues > 0 ? [] : [...queues.values()].filter(({ id }) => !doubtful.has(String(id))),
    untrimmed:
      lostQueues > 0
        ? ['nobody is removed: a queue of the list was not found']
        : kept.map((queue) => `nobody is removed from ${titleOf(queue)}: a row of it names nobody`),
    failures: [...failures.values()],
    refused,
  };
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
