import type { Client } from '../../client/index.ts';
import type { Membership } from './plan.ts';

/**
 * Reads the members of queues: one light request for each thousand members. `onRead` receives the number of queues read
 * so far.
 */
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

/** Returns the IDs of the queues whose members differ. */
export function changedQueues(before: Membership, now: Membership): readonly string[] {
  return [...before.keys()].filter((id) => {
    const { joined, left } = memberChangesOf(id, before, now);
    return joined.length + left.length > 0;
  });
}

/** Agents who joined and left a queue. */
export interface MemberChanges {
  readonly joined: readonly string[];
  readonly left: readonly string[];
}

/** Returns the changes of one queue between two readings, as agent IDs. */
export function memberChangesOf(queueId: string, before: Membership, now: Membership): MemberChanges {
  const [old, present] = [before.get(queueId) ?? new Set<string>(), now.get(queueId) ?? new Set<string>()];
  return {
    joined: [...present].filter((id) => !old.has(id)),
    left: [...old].filter((id) => !present.has(id)),
  };
}

/** Membership as JSON: queue ID to agent IDs, sorted. */
export function membershipJson(membership: Membership): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    [...membership].sort(([a], [b]) => compare(a, b)).map(([id, agents]) => [id, [...agents].sort(compare)]),
  );
}

/** Reverses `membershipJson`. */
export function membershipOf(json: Readonly<Record<string, readonly string[]>>): Membership {
  return new Map(Object.entries(json).map(([id, agents]) => [id, new Set(agents)]));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
