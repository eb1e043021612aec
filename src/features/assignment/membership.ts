import type { Client } from '../../client/index.ts';
import type { Membership } from './plan.ts';

/** Reads who is in each of the queues now: one light request for each thousand members. `onRead` hears how many queues are read. */
export async function readMembership(
  api: Pick<Client, 'departments'>,
  queueIds: Iterable<string>,
  signal?: AbortSignal,
  onRead?: (queues: number) => void,
): Promise<Membership> {
  const membership = new Map<string, Set<string>>();
  for (const queueId of queueIds) {
    const agents = new Set<string>();
    for await (const member of api.departments.members(queueId, { signal })) agents.add(String(member.id));
    membership.set(queueId, agents);
    onRead?.(membership.size);
  }
  return membership;
}

/** Queues whose members differ, by id. */
export function movedQueues(before: Membership, now: Membership): readonly string[] {
  return [...before.keys()].filter((id) => {
    const { joined, left } = movesOf(id, before, now);
    return joined.length + left.length > 0;
  });
}

/** Who joined a queue and who left it. */
export interface Moves {
  readonly joined: readonly string[];
  readonly left: readonly string[];
}

/** What changed in one queue between two readings, by agent ids. */
export function movesOf(queueId: string, before: Membership, now: Membership): Moves {
  const [old, present] = [before.get(queueId) ?? new Set<string>(), now.get(queueId) ?? new Set<string>()];
  return {
    joined: [...present].filter((id) => !old.has(id)),
    left: [...old].filter((id) => !present.has(id)),
  };
}

/** As JSON: queue id to agent ids, in a fixed order. */
export function membershipJson(membership: Membership): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    [...membership].sort(([a], [b]) => compare(a, b)).map(([id, agents]) => [id, [...agents].sort(compare)]),
  );
}

/** The reverse of `membershipJson`. */
export function membershipOf(json: Readonly<Record<string, readonly string[]>>): Membership {
  return new Map(Object.entries(json).map(([id, agents]) => [id, new Set(agents)]));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
