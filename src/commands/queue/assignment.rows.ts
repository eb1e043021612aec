import type { AssignmentPayload, SkippedRequest } from '../../features/assignment/index.ts';
import type { DisplayStatus } from '../../features/bulk/index.ts';
import { list, oneOf, text, textOf } from '../../runtime/output-schema.ts';
import { rows, source, type RowOf } from '../../runtime/rows.ts';

/** The result of a change, as shown in the table. */
type AssignmentStatus = 'added' | 'removed' | 'unchanged' | Exclude<DisplayStatus, 'ok'>;

/** A change and its status. */
interface Change extends Pick<AssignmentPayload, 'queue' | 'agent' | 'action'> {
  readonly status: DisplayStatus | 'unchanged';
}

/** One row of the result. Its first columns are those of an assignment list, so that the result can be used as one. */
export type AssignmentRow = RowOf<typeof assignmentRows>;

export const assignmentRows = rows(
  { source: source<Change>() },
  {
    queue: {
      schema: text,
      from: ({ queue }) => queue.extensionNumber ?? String(queue.id),
      title: 'QUEUE',
      priority: 6,
    },
    queueName: { schema: text, from: ({ queue }) => queue.name, title: 'QUEUE NAME', priority: 3 },
    extension: {
      schema: text,
      from: ({ agent }) => agent.extensionNumber ?? String(agent.id),
      title: 'AGENT',
      priority: 7,
    },
    agentName: { schema: text, from: ({ agent }) => agent.name, title: 'AGENT NAME', priority: 4 },
    action: { schema: oneOf('add', 'remove'), from: ({ action }) => action, title: 'ACTION', priority: 5 },
    status: {
      schema: textOf<AssignmentStatus>(),
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
  },
);

/** The output of the commands that change queues. */
export const assignmentOutput = list(assignmentRows);

/** Makes a row of the result. */
export function toRow(
  { queue, agent, action }: Omit<Change, 'status'>,
  status: Change['status'],
): AssignmentRow {
  return assignmentRows.row({}, { queue, agent, action, status });
}

/** The row of a skipped request, with the names of the list. */
export function skippedRow({ queue, agent, action }: SkippedRequest): AssignmentRow {
  return toRow({ queue: unknownParty(queue), agent: unknownParty(agent), action }, 'failed');
}

/** A queue or agent that is known only by its name in the list. */
function unknownParty(text: string): Change['queue'] {
  return { id: '', name: '', extensionNumber: text };
}

/** Returns the result of a change, as shown in the table. */
export function statusOf(action: 'add' | 'remove', status: DisplayStatus | 'unchanged'): AssignmentStatus {
  if (status !== 'ok') return status;
  return action === 'add' ? 'added' : 'removed';
}
