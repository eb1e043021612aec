import type { AssignmentPayload, RefusedWish } from '../../features/assignment/index.ts';
import type { Standing } from '../../features/bulk/index.ts';
import { list, oneOf, text, textOf } from '../../runtime/output-schema.ts';
import { rows, source, type RowOf } from '../../runtime/rows.ts';

/** What became of a change. */
type AssignmentStatus = 'added' | 'removed' | 'unchanged' | Exclude<Standing, 'ok'>;

/** A change and what became of it. */
interface Change extends Pick<AssignmentPayload, 'queue' | 'agent' | 'action'> {
  readonly status: Standing | 'unchanged';
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

/** What the commands that change queues write. */
export const assignmentOutput = list(assignmentRows);

/** A change and what became of it, as a row of the result. */
export function toRow(
  { queue, agent, action }: Omit<Change, 'status'>,
  status: Change['status'],
): AssignmentRow {
  return assignmentRows.row({}, { queue, agent, action, status });
}

/** A row that names someone who was not found, in the words of the list. */
export function refusedRow({ queue, agent, action }: RefusedWish): AssignmentRow {
  return toRow({ queue: unknownParty(queue), agent: unknownParty(agent), action }, 'failed');
}

/** Somebody of whom only the words of the list are known. */
function unknownParty(words: string): Change['queue'] {
  return { id: '', name: '', extensionNumber: words };
}

/** The word for what became of it. */
export function statusOf(action: 'add' | 'remove', status: Standing | 'unchanged'): AssignmentStatus {
  if (status !== 'ok') return status;
  return action === 'add' ? 'added' : 'removed';
}
