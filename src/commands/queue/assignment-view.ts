import type { AssignmentPayload, RefusedWish } from '../../features/assignment/index.ts';
import type { Standing } from '../../features/bulk/index.ts';
import type { View } from '../../runtime/output.ts';

/** What became of a change. */
type AssignmentStatus = 'added' | 'removed' | 'unchanged' | Exclude<Standing, 'ok'>;

/** One row of the result. Its first columns are those of an assignment list, so that the result can be used as one. */
export interface AssignmentRow {
  readonly queue: string;
  readonly queueName: string;
  readonly extension: string;
  readonly agentName: string;
  readonly action: 'add' | 'remove';
  readonly status: AssignmentStatus;
  readonly queueId: string;
  readonly agentId: string;
}

/** A change and what became of it, as a row of the result. */
export function toRow(
  change: Pick<AssignmentPayload, 'queue' | 'agent' | 'action'>,
  status: Standing | 'unchanged',
): AssignmentRow {
  const { queue, agent, action } = change;
  return {
    queue: queue.extensionNumber ?? String(queue.id),
    queueName: queue.name,
    extension: agent.extensionNumber ?? String(agent.id),
    agentName: agent.name,
    action,
    status: statusOf(action, status),
    queueId: String(queue.id),
    agentId: String(agent.id),
  };
}

/** A row that names someone who was not found, in the words of the list. */
export function refusedRow({ queue, agent, action }: RefusedWish): AssignmentRow {
  const names = { queue, queueName: '', extension: agent, agentName: '' };
  return { ...names, action, status: 'failed', queueId: '', agentId: '' };
}

/** The word for what became of it. */
export function statusOf(action: 'add' | 'remove', status: Standing | 'unchanged'): AssignmentStatus {
  if (status !== 'ok') return status;
  return action === 'add' ? 'added' : 'removed';
}

export const assignmentView: View<AssignmentRow> = {
  columns: [
    { key: 'queue', title: 'QUEUE', kind: 'text', value: (row) => row.queue, priority: 6 },
    { key: 'queueName', title: 'QUEUE NAME', kind: 'text', value: (row) => row.queueName, priority: 3 },
    { key: 'extension', title: 'AGENT', kind: 'text', value: (row) => row.extension, priority: 7 },
    { key: 'agentName', title: 'AGENT NAME', kind: 'text', value: (row) => row.agentName, priority: 4 },
    { key: 'action', title: 'ACTION', kind: 'text', value: (row) => row.action, priority: 5 },
    { key: 'status', title: 'STATUS', kind: 'status', value: (row) => row.status, priority: 8 },
    { key: 'queueId', title: 'QUEUE ID', kind: 'id', value: (row) => row.queueId, priority: 1 },
    { key: 'agentId', title: 'AGENT ID', kind: 'id', value: (row) => row.agentId, priority: 2 },
  ],
};
