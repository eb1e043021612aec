import type { Client } from '../../client/index.ts';
import type { Membership } from '../../features/assignment/index.ts';

/** Reads who is in each of the queues now. */
export async function readMembership(
  api: Client,
  queueIds: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<Membership> {
  const membership = new Map<string, Set<string>>();
  for (const queueId of queueIds) {
    const agents = new Set<string>();
    for await (const member of api.departments.members(queueId, { signal })) agents.add(String(member.id));
    membership.set(queueId, agents);
  }
  return membership;
}
