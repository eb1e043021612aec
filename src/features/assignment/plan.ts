import type { BulkAssignItem } from '../../contract/department.ts';
import type { Extension } from '../../contract/extension.ts';
import { atPlace, type AssignmentAction, type AssignmentRequest } from './request.ts';

/** A request whose names were found. */
export interface ResolvedRequest {
  readonly request: AssignmentRequest;
  readonly queue: Extension;
  readonly agent: Extension;
}

/** Who is in which queue: queue id to agent ids. */
export type Membership = ReadonlyMap<string, ReadonlySet<string>>;

export interface PlannedChange {
  readonly queue: Extension;
  readonly agent: Extension;
  readonly action: AssignmentAction;
  /** False when it is so already. */
  readonly needed: boolean;
}

/** The difference between what is wished and what is. */
export interface Plan {
  /** In the order of the wishes, each pair of queue and agent once. */
  readonly changes: readonly PlannedChange[];
  /** Why the plan must not be applied; empty when it may. */
  readonly problems: readonly string[];
}

const neverAgents = new Set<string>([
  'Department',
  'Take Messages Only',
  'Voicemail',
  'Announcement',
  'PagingOnly',
  'SharedLinesGroup',
  'IvrMenu',
  'ApplicationExtension',
  'ParkLocation',
  'Site',
]);

/** Compares wishes with the present members. Refuses contradictions and agents who cannot take calls; says so for all of them at once. */
export function planAssignments(requests: readonly ResolvedRequest[], members: Membership): Plan {
  const changes = new Map<string, PlannedChange>();
  const problems: string[] = [];
  for (const { request, queue, agent } of requests) {
    const pair = `${queue.id}/${agent.id}`;
    const earlier = changes.get(pair);
    if (earlier && earlier.action !== request.action) {
      problems.push(
        atPlace(
          request.place,
          'action',
          `${titleOf(agent)} is both added to and removed from ${titleOf(queue)}`,
        ),
      );
    }
    if (earlier) continue;
    const refusal = request.action === 'add' ? refusalOf(agent) : undefined;
    if (refusal) problems.push(atPlace(request.place, 'extension', refusal));
    const isMember = members.get(String(queue.id))?.has(String(agent.id)) ?? false;
    changes.set(pair, {
      queue,
      agent,
      action: request.action,
      needed: isMember !== (request.action === 'add'),
    });
  }
  return { changes: [...changes.values()], problems };
}

function refusalOf(agent: Extension): string | undefined {
  if (neverAgents.has(agent.type)) return `${titleOf(agent)} cannot be an agent: its type is ${agent.type}`;
  if (agent.status === 'Enabled') return undefined;
  return `${titleOf(agent)} cannot take calls: its status is ${agent.status}`;
}

/** The fewest items that make the plan true: one for each queue that changes. */
export function toBulkAssign(plan: Plan): readonly BulkAssignItem[] {
  const needed = plan.changes.filter((change) => change.needed);
  return groupByQueue(needed).map((changes) => {
    const added = idsOf(changes, 'add');
    const removed = idsOf(changes, 'remove');
    return {
      departmentId: String(changes[0].queue.id),
      addedExtensionIds: added.length > 0 ? added : undefined,
      removedExtensionIds: removed.length > 0 ? removed : undefined,
    };
  });
}

/** The changes of each queue, in the order in which the queues come. */
export function groupByQueue(
  changes: readonly PlannedChange[],
): readonly (readonly [PlannedChange, ...PlannedChange[]])[] {
  const groups = new Map<string, [PlannedChange, ...PlannedChange[]]>();
  for (const change of changes) {
    const id = String(change.queue.id);
    const group = groups.get(id);
    if (group) group.push(change);
    else groups.set(id, [change]);
  }
  return [...groups.values()];
}

function idsOf(changes: readonly PlannedChange[], action: AssignmentAction): string[] {
  return changes.filter((change) => change.action === action).map(({ agent }) => String(agent.id));
}

/** `Ann Lee (101)` */
export function titleOf(extension: Extension): string {
  return extension.extensionNumber ? `${extension.name} (${extension.extensionNumber})` : extension.name;
}
