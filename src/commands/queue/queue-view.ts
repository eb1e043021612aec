import type { Extension } from '../../contract/extension.ts';
import type { Column, View } from '../../runtime/output.ts';

/** A queue; `members` is there when it was counted. */
export interface QueueRow extends Extension {
  readonly members?: number;
}

const columns: readonly Column<QueueRow>[] = [
  { key: 'id', title: 'ID', kind: 'id', value: (queue) => queue.id, priority: 1 },
  { key: 'number', title: 'NUMBER', kind: 'text', value: (queue) => queue.extensionNumber, priority: 3 },
  { key: 'name', title: 'NAME', kind: 'text', value: (queue) => queue.name, priority: 4 },
  { key: 'status', title: 'STATUS', kind: 'status', value: (queue) => queue.status, priority: 2 },
];
const members: Column<QueueRow> = {
  key: 'members',
  title: 'AGENTS',
  kind: 'number',
  value: (queue) => queue.members,
  priority: 3,
};

/** `counted`: with the number of agents. */
export function queueView(counted: boolean): View<QueueRow> {
  return { columns: counted ? [...columns, members] : columns, empty: 'No queues.' };
}
