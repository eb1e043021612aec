import type { Extension } from '../../contract/extension.ts';
import type { Lookup, NameMiss } from '../../runtime/lookup.ts';
import { atPlace } from '../bulk/index.ts';
import type { ResolvedRequest } from './plan.ts';
import type { AssignmentRequest, WantedQueue } from './request.ts';

/** Answers questions about names. */
export interface Names {
  queue(text: string): Promise<Lookup>;
  agent(text: string): Promise<Lookup>;
}

export interface ResolveResult {
  readonly resolved: readonly ResolvedRequest[];
  /** The queues of which the list says who is in them. */
  readonly wanted: readonly Extension[];
  /** Every name that led nowhere, each once for every place where it stands. */
  readonly failures: readonly { readonly text: string; readonly failure: NameMiss }[];
}

/** Finds the queue and the agent of every request; collects all that cannot be found. */
export async function resolveRequests(
  requests: readonly AssignmentRequest[],
  wanted: readonly WantedQueue[],
  names: Names,
): Promise<ResolveResult> {
  const resolved: ResolvedRequest[] = [];
  const queues = new Map<string, Extension>();
  const failures = new Map<string, NameMiss>();
  // A big list names few queues and each agent often: ask once for every word.
  const queueOf = remembered((text) => names.queue(text));
  const agentOf = remembered((text) => names.agent(text));
  for (const { queue: text, place } of wanted) {
    const queue = await queueOf(text);
    if (!queue.found) failures.set(atPlace(place, 'queue', queue.message), queue);
    else queues.set(String(queue.found.id), queue.found);
  }
  for (const request of requests) {
    const queue = await queueOf(request.queue);
    const agent = await agentOf(request.agent);
    if (!queue.found) failures.set(atPlace(request.place, 'queue', queue.message), queue);
    if (!agent.found) failures.set(atPlace(request.place, 'extension', agent.message), agent);
    if (queue.found && agent.found) resolved.push({ request, queue: queue.found, agent: agent.found });
  }
  return {
    resolved,
    wanted: [...queues.values()],
    failures: [...failures].map(([text, failure]) => ({ text, failure })),
  };
}

function remembered(ask: (text: string) => Promise<Lookup>): (text: string) => Promise<Lookup> {
  const answers = new Map<string, Promise<Lookup>>();
  return (text) => {
    const known = answers.get(text) ?? ask(text);
    answers.set(text, known);
    return known;
  };
}
