import type { BulkAssignItem } from '../../contract/department.ts';
import type { Extension } from '../../contract/extension.ts';
import { cellPlace, type ListProblem } from '../bulk/index.ts';
import { refuse, type AssignmentAction, type AssignmentRequest, type RefusedWish } from './request.ts';

/** A request whose names were found. */
export interface ResolvedRequest {
  readonly request: AssignmentRequest;
  readonly queue: Extension;
  readonly agent: Extension;
}

/** Who is in which queue: queue id to agent ids. */
export type Membership = ReadonlyMap<string, ReadonlySet<string>>;

/** What a plan says of a queue or an agent. */
export type Party = Pick<Extension, 'id' | 'name' | 'extensionNumber'>;

export interface PlannedChange {
  readonly queue: Party;
  readonly agent: Party;
  readonly action: AssignmentAction;
  /** False when it is so already. */
  readonly needed: boolean;
  /** Rows of the input that ask for it; none when it follows from who is not listed. */
  readonly rows?: readonly number[];
}

/** The difference between what is wished and what is. */
export interface Plan {
  /** In the order of the wishes, each pair of queue and agent once. */
  readonly changes: readonly PlannedChange[];
  /** Contradictions: a plan with one is not applied. */
  readonly problems: readonly ListProblem[];
  /** Wishes that cannot come true, such as an agent who is disabled: not among the changes. */
  readonly refused: readonly RefusedWish[];
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

/** Which side of the difference is made: both, or only what joins, or only what leaves. */
export type PlanMode = 'both' | 'add-only' | 'remove-only';

export interface PlanScope {
  readonly mode?: PlanMode;
  /** Queues whose members are to be exactly those that are wished into them. */
  readonly wanted?: readonly Extension[];
  /** What is known of a member that the list does not name. */
  readonly known?: (id: string) => Party | undefined;
}

/** Compares wishes with the present members. Finds contradictions and agents who cannot take calls, all of them at once. */
export function planAssignments(
  requests: readonly ResolvedRequest[],
  members: Membership,
  scope: PlanScope = {},
): Plan {
  const changes = new Map<string, PlannedChange & { readonly rows: number[] }>();
  const problems: ListProblem[] = [];
  const refused: RefusedWish[] = [];
  for (const { request, queue, agent } of requests) {
    const pair = `${queue.id}/${agent.id}`;
    const isMember = members.get(String(queue.id))?.has(String(agent.id)) ?? false;
    const needed = isMember !== (request.action === 'add');
    // A member who was disabled since is no reason to refuse the list that names them.
    const refusal = request.action === 'add' && needed ? refusalOf(agent) : undefined;
    if (refusal) {
      const place = cellPlace(request.place, 'extension');
      refused.push(refuse(request, 'not_an_agent', { place, message: refusal }));
      continue;
    }
    const earlier = changes.get(pair);
    if (earlier && request.row !== undefined) earlier.rows.push(request.row);
    if (earlier && earlier.action !== request.action) {
      problems.push({
        place: cellPlace(request.place, 'action'),
        text: `${titleOf(agent)} is both added to and removed from ${titleOf(queue)}`,
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
    refused: refused.filter(({ action }) => isIn(scope.mode, action)),
  };
}

function isIn(mode: PlanMode = 'both', action: AssignmentAction): boolean {
  return mode === 'both' || mode === `${action}-only`;
}

/** Members of the wanted queues that nobody wished into them: they go. */
function unlisted(
  changes: ReadonlyMap<string, PlannedChange>,
  members: Membership,
  { wanted = [], known }: PlanScope,
): readonly PlannedChange[] {
  return wanted.flatMap((queue) =>
    [...(members.get(String(queue.id)) ?? [])]
      .filter((id) => !changes.has(`${queue.id}/${id}`))
      .map((id): PlannedChange => {
        const agent = known?.(id) ?? { id, name: `extension ${id}` };
        return { queue, agent, action: 'remove', needed: true, rows: [] };
      }),
  );
}

function refusalOf(agent: Extension): string | undefined {
  if (neverAgents.has(agent.type)) return `${titleOf(agent)} cannot be an agent: its type is ${agent.type}`;
  if (agent.status === 'Enabled') return undefined;
  return `${titleOf(agent)} cannot take calls: its status is ${agent.status}`;
}

/** What is kept of a queue or an agent in plans and journals: the id as text. */
export function partyOf({ id, name, extensionNumber }: Party): Party {
  return { id: String(id), name, ...(extensionNumber !== undefined && { extensionNumber }) };
}

/** The changes that have to be made. */
export function neededChanges(plan: Plan): readonly PlannedChange[] {
  return plan.changes.filter((change) => change.needed);
}

/** The fewest items that make these changes: one for each queue. */
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

/** The changes of each queue, in the order in which the queues come. */
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

/** `Ann Lee (101)` */
export function titleOf(extension: Party): string {
  return extension.extensionNumber ? `${extension.name} (${extension.extensionNumber})` : extension.name;
}
