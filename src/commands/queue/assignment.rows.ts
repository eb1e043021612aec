import type { AssignmentPayload, SkippedRequest } from '../../features/assignment/index.ts';
import type { ResourceChange, Value } from '../../features/resource-plan/index.ts';
import { madeWords } from '../../runtime/made-words.ts';
import { anything, list, oneOf, optional, text } from '../../runtime/output-schema.ts';
import { rows, source, type RowOf } from '../../runtime/rows.ts';
import { withNumber } from '../../runtime/with-number.ts';
import { unmadeStatuses, type ChangeStatus } from '../../runtime/change-status.ts';

const statuses = [
  'added',
  'removed',
  'created',
  'changed',
  'unchanged',
  'skipped',
  ...unmadeStatuses,
] as const;

/** The result of a change, as shown in the table. */
type AssignmentStatus = (typeof statuses)[number];

/** A change and its status. */
interface Change extends Pick<AssignmentPayload, 'queue' | 'agent'> {
  readonly action: AssignmentPayload['action'] | ResourceChange['action'];
  readonly status: ChangeStatus | 'skipped' | 'unchanged';
  /** The setting that changes, if the change is not a change of members. */
  readonly setting?: { readonly name: string; readonly before: Value; readonly after: Value };
}

/**
 * One row of the result. The first columns are the columns of an assignment list, so that the result can be used as a
 * list.
 */
export type AssignmentRow = RowOf<typeof assignmentRows>;

export const assignmentRows = rows(
  { source: source<Change>() },
  {
    queue: {
      schema: text,
      from: ({ queue }) => queue.extensionNumber ?? String(queue.id),
      title: 'QUEUE',
      priority: 6,
      below: 'in ',
      least: 24,
      shown: ({ queue, queueName }) => withNumber(queueName, queue),
    },
    queueName: { schema: text, from: ({ queue }) => queue.name, title: 'QUEUE NAME', isIncluded: true },
    extension: {
      schema: text,
      from: ({ agent }) => agent.extensionNumber ?? String(agent.id),
      title: 'AGENT',
      priority: 7,
      least: 24,
      shown: ({ extension, agentName }) => withNumber(agentName, extension),
    },
    agentName: { schema: text, from: ({ agent }) => agent.name, title: 'AGENT NAME', isIncluded: true },
    action: {
      schema: oneOf('add', 'remove', 'create', 'update'),
      from: ({ action }) => action,
      title: 'ACTION',
      priority: 5,
    },
    status: {
      schema: oneOf(...statuses),
      from: ({ action, status }) => statusOf(action, status),
      title: 'STATUS',
      kind: 'status',
      priority: 8,
    },
    queueId: {
      schema: text,
      from: ({ queue }) => String(queue.id),
      title: 'QUEUE ID',
      kind: 'id',
      priority: 1,
    },
    agentId: {
      schema: text,
      from: ({ agent }) => String(agent.id),
      title: 'AGENT ID',
      kind: 'id',
      priority: 2,
    },
    /** The setting of the queue that changes. Absent for members. */
    setting: { schema: optional(text), from: ({ setting }) => setting?.name },
    before: { schema: optional(anything), from: ({ setting }) => setting?.before },
    after: { schema: optional(anything), from: ({ setting }) => setting?.after },
  },
);

/** The output of the commands that change queues. */
export const assignmentOutput = list(assignmentRows);

/** Creates a row of the result. */
export function toRow(
  { queue, agent, action }: Omit<Change, 'status'>,
  status: Change['status'],
): AssignmentRow {
  return assignmentRows.row({}, { queue, agent, action, status });
}

/** Returns the row of one setting of a queue. On a terminal, the column of the agent shows the setting. */
export function settingRow(change: ResourceChange, name: string, status: ChangeStatus): AssignmentRow {
  const after = change.after[name] ?? null;
  return assignmentRows.row(
    {},
    {
      queue: { id: change.id ?? '', name: change.title, extensionNumber: change.number },
      agent: { id: '', name: `${name}: ${show(after)}`, extensionNumber: '' },
      action: change.action,
      status,
      setting: { name, before: change.before[name] ?? null, after },
    },
  );
}

/** Formats a value for people. */
function show(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the row of a skipped request, with the names of the list. */
export function skippedRow({ queue, agent, action }: SkippedRequest): AssignmentRow {
  return toRow({ queue: unknownParty(queue), agent: unknownParty(agent), action }, 'skipped');
}

/** Returns a queue or agent that is known only by its name in the list. */
function unknownParty(text: string): Change['queue'] {
  return { id: '', name: '', extensionNumber: text };
}

/** Returns the result of a change, as shown in the table. */
export function statusOf(action: Change['action'], status: Change['status']): AssignmentStatus {
  return status === 'ok' ? madeWords[action] : status;
}
