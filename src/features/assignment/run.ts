import type { ApiErrorDetail, Client } from '../../client/index.ts';
import type { BulkWork, Journal, JournalItem, JournalledRun, RunDetail, RunInput } from '../bulk/index.ts';
import type { PlanLimits } from './guards.ts';
import type { SkippedRequest } from './request.ts';
import { membershipJson, membershipOf, changedQueues, readMembership } from './membership.ts';
import {
  groupByQueue,
  neededChanges,
  partyOf,
  toBulkAssign,
  type Membership,
  type Plan,
  type PlannedChange,
} from './plan.ts';
import { titleOf } from '../../runtime/with-number.ts';

/** The kind of run that changes members of queues. */
export const assignmentKind = 'queue.assign';

type Change = Pick<PlannedChange, 'queue' | 'agent' | 'action'>;

/** One change of a run, as stored in the journal. */
export type AssignmentPayload = Change & {
  readonly rows: readonly number[];
};

/** The detail of a run, as stored in the journal. */
export interface AssignmentDetail extends RunDetail {
  /** Members of the queues before the first request. */
  readonly before: Readonly<Record<string, readonly string[]>>;
  /** Changes of the list that were already in effect. */
  readonly unchanged: readonly AssignmentPayload[];
  /** Rows that the run skips. Absent in a run of an older version. */
  readonly skipped?: readonly SkippedRequest[];
  /** Safety limits of the run; they also apply when the run is resumed. Absent in a run of an older version. */
  readonly limits?: readonly PlanLimits[];
}

/** Writes a plan into the journal. Returns the ID of the run. */
export function journalPlan(
  journal: Journal,
  plan: Plan,
  run: {
    readonly title: string;
    readonly baseUrl: string;
    readonly now: number;
    readonly before: Membership;
    readonly input: RunInput;
    readonly limits: readonly PlanLimits[];
    readonly undoes?: string;
    /** Whether the run undoes only a part of `undoes`. */
    readonly undoesPart?: boolean;
    /** ID of the first run of the same command. */
    readonly partOf?: string | undefined;
    readonly origin?: Pick<RunDetail, 'profile' | 'results'>;
  },
): string {
  const detail: AssignmentDetail = {
    before: membershipJson(run.before),
    input: run.input,
    unchanged: unchangedOf(plan),
    skipped: plan.skipped,
    limits: run.limits,
    ...run.origin,
    ...(run.undoes !== undefined && { undoes: run.undoes }),
    ...(run.undoesPart && { undoesPart: true }),
    ...(run.partOf !== undefined && { partOf: run.partOf }),
  };
  return journal.create<AssignmentPayload>({
    kind: assignmentKind,
    title: run.title,
    baseUrl: run.baseUrl,
    now: run.now,
    detail,
    // The changes are sorted by queue, so that they fit into the fewest requests and few queues are
    // read back twice.
    items: orderedByQueue(neededChanges(plan)).map((change) => ({
      action: change.action,
      subject: `${titleOf(change.agent)} in ${titleOf(change.queue)}`,
      payload: payloadOf(change),
    })),
  });
}

/** Returns the key of a change, for comparing runs and plans. */
export function changeKey({ queue, agent }: Pick<PlannedChange, 'queue' | 'agent'>): string {
  return `${queue.id}/${agent.id}`;
}

/** Returns the changes of a plan that are already in effect. */
export function unchangedOf(plan: Plan): readonly AssignmentPayload[] {
  return plan.changes.filter(({ needed }) => !needed).map(payloadOf);
}

function orderedByQueue<C extends Change>(changes: readonly C[]): readonly C[] {
  const order = new Map<string, number>();
  for (const { queue } of changes) if (!order.has(String(queue.id))) order.set(String(queue.id), order.size);
  const rank = ({ queue }: Change): number => order.get(String(queue.id)) ?? 0;
  return changes.toSorted((a, b) => rank(a) - rank(b));
}

function payloadOf({ queue, agent, action, rows = [] }: PlannedChange): AssignmentPayload {
  return { queue: partyOf(queue), agent: partyOf(agent), action, rows };
}

/** The remaining changes of a run as a plan, with the members to which its limits refer. */
export interface RemainingPlan {
  readonly plan: Plan;
  readonly members: Membership;
}

/**
 * Returns the remaining changes of a run as a plan. Changes that are already in effect are marked as not needed, as are all
 * other changes of the run: limits refer to the members of all queues of the run.
 * @param present the present members of the queues with remaining changes; the other queues count as at the start of the
 * run
 */
export function remainingPlan(
  { detail, items }: Pick<JournalledRun<AssignmentPayload>, 'detail' | 'items'>,
  left: readonly JournalItem<AssignmentPayload>[],
  present: Membership,
): RemainingPlan {
  const { before, unchanged } = detail as AssignmentDetail;
  const members = new Map([...membershipOf(before), ...present]);
  const remaining = new Set(left.map(({ seq }) => seq));
  const isNeeded = ({ seq, payload }: JournalItem<AssignmentPayload>): boolean =>
    remaining.has(seq) && !isInEffect(payload, members);
  const changes = [
    ...items.map((item): PlannedChange => Object.assign({ needed: isNeeded(item) }, item.payload)),
    ...unchanged.map((payload): PlannedChange => Object.assign({ needed: false }, payload)),
  ];
  return { plan: { changes, problems: [], skipped: [] }, members };
}

/** Whether a request can change only one queue (CURRENT-7). */
function isPerQueue({ departments }: Pick<Client, 'departments'>): boolean {
  return departments.queuesPerRequest === 1;
}

/**
 * Sends changes of members (QUEUE-3, CURRENT-7: one POST, 204 without a body) and reads them back. In dialect
 * `current`, each queue needs a separate request.
 */
export function assignmentWork(api: Pick<Client, 'departments'>): BulkWork<AssignmentPayload> {
  return {
    ...(isPerQueue(api) && { groupOf: ({ payload }) => String(payload.queue.id) }),
    async send(items) {
      let requestId: string | undefined;
      await api.departments.bulkAssign(toBulkAssign(items.map(({ payload }) => payload)), {
        onReply: (reply) => {
          requestId = reply.requestId;
        },
      });
      return { requestId };
    },
    async observe(items) {
      const queues = new Set(items.map(({ payload }) => String(payload.queue.id)));
      const now = await readMembership(api, queues);
      return new Set(items.filter(({ payload }) => isInEffect(payload, now)).map(({ seq }) => seq));
    },
    findOffenders,
  };
}

function isInEffect({ queue, agent, action }: AssignmentPayload, now: Membership): boolean {
  return (now.get(String(queue.id))?.has(String(agent.id)) ?? false) === (action === 'add');
}

/**
 * Returns the changes that an error names by parameters, such as `items[0].addedExtensionIds[1]` or
 * `items[2].departmentId`. In dialect `current` a request has one queue, and its parameters have no `items[0]`.
 */
function findOffenders(
  error: unknown,
  items: readonly JournalItem<AssignmentPayload>[],
): readonly JournalItem<AssignmentPayload>[] {
  const details = (error as { readonly errors?: readonly ApiErrorDetail[] }).errors ?? [];
  const sent = toBulkAssign(items.map(({ payload }) => payload));
  return details.flatMap(({ parameterName = '' }) => {
    const inItem = parameterName.startsWith('items[') ? parameterName : `items[0].${parameterName}`;
    const parts = /^items\[(\d+)\](?:\.(added|removed)ExtensionIds\[(\d+)\]|\.departmentId)?$/.exec(inItem);
    const item = parts ? sent[Number(parts[1])] : undefined;
    if (!parts || !item) return [];
    const inQueue = items.filter(({ payload }) => String(payload.queue.id) === item.departmentId);
    if (parts[2] === undefined) return inQueue;
    const list = parts[2] === 'added' ? item.addedExtensionIds : item.removedExtensionIds;
    const agent = list?.[Number(parts[3])];
    return inQueue.filter(
      ({ payload }) =>
        String(payload.agent.id) === agent && payload.action === (parts[2] === 'added' ? 'add' : 'remove'),
    );
  });
}

/** The plan that undoes a run, based on the current members. */
export interface Inverse {
  readonly plan: Plan;
  /** Present members. */
  readonly before: Membership;
  /** IDs of queues whose members have changed since the run. */
  readonly changedSince: readonly string[];
}

/**
 * Plans the opposite of every selected change that the run made and that is still in effect. `read` returns the current
 * members.
 */
export async function invertRun(
  read: (queueIds: Iterable<string>) => Promise<Membership>,
  detail: AssignmentDetail,
  items: readonly JournalItem<AssignmentPayload>[],
  isSelected: (item: JournalItem<AssignmentPayload>) => boolean = () => true,
): Promise<Inverse> {
  const sent = items.filter(({ status }) => status === 'ok' || status === 'unknown');
  const now = await read(new Set(sent.filter(isSelected).map(({ payload }) => String(payload.queue.id))));
  const old = membershipOf(detail.before);
  // A change with an unknown outcome counts as made if it is in effect now and was not in effect before the
  // run.
  const made = sent.filter(
    ({ status, payload }) => status === 'ok' || (isInEffect(payload, now) && !isInEffect(payload, old)),
  );
  const done = made.filter(isSelected).map(({ payload }) => payload);
  const touched = new Set(done.map(({ queue }) => String(queue.id)));
  const expected = new Map([...touched].map((id) => [id, new Set(old.get(id))]));
  // The other changes of these queues are in effect, too.
  for (const { queue, agent, action } of made.map(({ payload }) => payload)) {
    const agents = expected.get(String(queue.id));
    if (action === 'add') agents?.add(String(agent.id));
    else agents?.delete(String(agent.id));
  }
  const changes = done.map((change): PlannedChange => ({
    queue: change.queue,
    agent: change.agent,
    action: change.action === 'add' ? 'remove' : 'add',
    needed: isInEffect(change, now),
    rows: [],
  }));
  return {
    plan: { changes, problems: [], skipped: [] },
    before: now,
    changedSince: changedQueues(expected, now),
  };
}

/** Returns the requests of a plan, not sent yet. Each request has at most `maxItems` changes. */
export function assignmentSends(
  api: Client,
  needed: readonly Change[],
  maxItems: number,
): (() => Promise<unknown>)[] {
  const chunks = chunked(needed, { maxItems, isPerQueue: isPerQueue(api) });
  return chunks.map((changes) => () => api.departments.bulkAssign(toBulkAssign(changes)));
}

/** Returns the number of requests of a plan: requests for the changes, and requests that read back the queues. */
export function countRequests(
  api: Pick<Client, 'departments'>,
  plan: Plan,
  maxItems: number,
): { readonly Heavy: number; readonly Light: number } {
  const chunks = chunked(neededChanges(plan), { maxItems, isPerQueue: isPerQueue(api) });
  return {
    Heavy: chunks.length,
    Light: chunks.reduce((sum, changes) => sum + groupByQueue(changes).length, 0),
  };
}

/** How changes are divided into requests. */
interface Division {
  readonly maxItems: number;
  readonly isPerQueue: boolean;
}

function chunked(needed: readonly Change[], division: Division): readonly (readonly Change[])[] {
  const { maxItems, isPerQueue: perQueue } = division;
  const groups = perQueue ? groupByQueue(needed) : [orderedByQueue(needed)];
  return groups.flatMap((group) => {
    const count = Math.ceil(group.length / maxItems);
    return Array.from({ length: count }, (_, at) => group.slice(at * maxItems, (at + 1) * maxItems));
  });
}
