import type { BulkAssignItem } from '../../contract/department.ts';
import type { Extension } from '../../contract/extension.ts';
import { cellPlace, type ListProblem } from '../bulk/index.ts';
import { skip, type AssignmentAction, type AssignmentRequest, type SkippedRequest } from './request.ts';
import { titleOf } from '../../runtime/with-number.ts';

/** A request whose names were found. */
export interface ResolvedRequest {
  readonly request: AssignmentRequest;
  readonly queue: Extension;
  readonly agent: Extension;
}

/** The members of queues: a map from queue ID to agent IDs. */
export type Membership = ReadonlyMap<string, ReadonlySet<string>>;

/** A queue or an agent of a plan. */
export type Party = Pick<Extension, 'id' | 'name' | 'extensionNumber'>;

export interface PlannedChange {
  readonly queue: Party;
  readonly agent: Party;
  readonly action: AssignmentAction;
  /** False if the change is already in effect. */
  readonly needed: boolean;
  /**
   * Rows of the input that request the change; empty for a member who is removed because the desired state does not
   * list this member.
   */
  readonly rows?: readonly number[];
}

/** The difference between a list and the current members. */
export interface Plan {
  /** Changes in the order of the list, each pair of queue and agent once. */
  readonly changes: readonly PlannedChange[];
  /** Contradictions of the list. A plan with a contradiction is not applied. */
  readonly problems: readonly ListProblem[];
  /**
   * Requests that cannot be made, for example because an agent is disabled. The changes do not contain these requests.
   */
  readonly skipped: readonly SkippedRequest[];
}

const nonAgentTypes = new Set<string>([
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

/** The changes that a plan contains: all differences between the present and the desired state, only additions, or only removals. */
export type PlanMode = 'both' | 'add-only' | 'remove-only';

export interface PlanScope {
  readonly mode?: PlanMode;
  /** Queues of a desired state, from which unlisted members are removed. */
  readonly desired?: readonly Extension[];
  /** Looks up a member who is not in the list. */
  readonly known?: (id: string) => Party | undefined;
}

/** Compares a list with the current members. Finds all contradictions and all agents who cannot take calls. */
export function planAssignments(
  requests: readonly ResolvedRequest[],
  members: Membership,
  scope: PlanScope = {},
): Plan {
  const changes = new Map<string, PlannedChange & { readonly rows: number[] }>();
  const problems: ListProblem[] = [];
  const skipped: SkippedRequest[] = [];
  for (const { request, queue, agent } of requests) {
    const pair = `${queue.id}/${agent.id}`;
    const isMember = members.get(String(queue.id))?.has(String(agent.id)) ?? false;
    const needed = isMember !== (request.action === 'add');
    // A disabled agent who is already a member needs no change, so the row is not skipped.
    const reason = request.action === 'add' && needed ? skipReason(agent) : undefined;
    if (reason) {
      const place = cellPlace(request.place, 'extension');
      skipped.push(skip(request, 'not_an_agent', { place, message: reason }));
      continue;
    }
    const earlier = changes.get(pair);
    if (earlier && request.row !== undefined) earlier.rows.push(request.row);
    if (earlier && earlier.action !== request.action) {
      problems.push({
        place: cellPlace(request.place, 'action'),
        text: `${titleOf(agent)} cannot be both added to and removed from ${titleOf(queue)}`,
      });
    }
    if (earlier) continue;
    const rows = request.row === undefined ? [] : [request.row];
    changes.set(pair, { queue, agent, action: request.action, needed, rows });
  }
  const all = [...changes.values(), ...unlisted(changes, members, scope)];
  return {
    changes: all.filter(({ action }) => isIn(scope.mode, action)),
    problems,
    skipped: skipped.filter(({ action }) => isIn(scope.mode, action)),
  };
}

function isIn(mode: PlanMode = 'both', action: AssignmentAction): boolean {
  return mode === 'both' || mode === `${action}-only`;
}

/** Returns the removals of a desired state: members who are not in the list. */
function unlisted(
  changes: ReadonlyMap<string, PlannedChange>,
  members: Membership,
  { desired = [], known }: PlanScope,
): readonly PlannedChange[] {
  return desired.flatMap((queue) =>
    [...(members.get(String(queue.id)) ?? [])]
      .filter((id) => !changes.has(`${queue.id}/${id}`))
      .map((id): PlannedChange => {
        const agent = known?.(id) ?? { id, name: `extension ${id}` };
        return { queue, agent, action: 'remove', needed: true, rows: [] };
      }),
  );
}

function skipReason(agent: Extension): string | undefined {
  if (nonAgentTypes.has(agent.type)) return `${titleOf(agent)} cannot be an agent: its type is ${agent.type}`;
  if (agent.status === 'Enabled') return undefined;
  return `${titleOf(agent)} cannot take calls: its status is ${agent.status}`;
}

/** Returns a queue or an agent in the form that plans and journals store, with the ID as text. */
export function partyOf({ id, name, extensionNumber }: Party): Party {
  return { id: String(id), name, ...(extensionNumber !== undefined && { extensionNumber }) };
}

/** Returns the changes that are not yet in effect. */
export function neededChanges(plan: Plan): readonly PlannedChange[] {
  return plan.changes.filter((change) => change.needed);
}

/** Returns the items of a bulk request for these changes: one for each queue. */
export function toBulkAssign(
  changes: readonly Pick<PlannedChange, 'queue' | 'agent' | 'action'>[],
): readonly BulkAssignItem[] {
  return groupByQueue(changes).map((group) => {
    const added = idsOf(group, 'add');
    const removed = idsOf(group, 'remove');
    return {
      departmentId: String(group[0].queue.id),
      addedExtensionIds: added.length > 0 ? added : undefined,
      removedExtensionIds: removed.length > 0 ? removed : undefined,
    };
  });
}

/** Groups changes by queue, in the order of their first change. */
export function groupByQueue<C extends Pick<PlannedChange, 'queue'>>(
  changes: readonly C[],
): readonly (readonly [C, ...C[]])[] {
  const groups = new Map<string, [C, ...C[]]>();
  for (const change of changes) {
    const id = String(change.queue.id);
    const group = groups.get(id);
    if (group) group.push(change);
    else groups.set(id, [change]);
  }
  return [...groups.values()];
}

function idsOf(
  changes: readonly Pick<PlannedChange, 'agent' | 'action'>[],
  action: AssignmentAction,
): string[] {
  return changes.filter((change) => change.action === action).map(({ agent }) => String(agent.id));
}
