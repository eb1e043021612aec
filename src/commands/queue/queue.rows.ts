import { array, id, integer, object, optional, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** A queue; `members` is present with `--members`. */
export type QueueRow = RowOf<typeof queueRows>;

export const queueRows = rows(
  { of: 'Extension', empty: 'No queues.' },
  {
    id: { title: 'ID', kind: 'id', priority: 1 },
    extensionNumber: { key: 'number', title: 'NUMBER', priority: 3 },
    name: { title: 'NAME', priority: 4 },
    status: { title: 'STATUS', kind: 'status', priority: 2 },
    members: { schema: optional(integer), title: 'AGENTS', kind: 'number', priority: 3, in: 'asked' },
  },
);

/** A queue with its agents. */
export type QueueDetail = RowOf<typeof queueDetailRows>;

export const queueDetailRows = rows(
  { of: 'Extension' },
  {
    id: { title: 'ID', kind: 'id' },
    extensionNumber: { key: 'number', title: 'Number' },
    name: { title: 'Name' },
    email: { title: 'E-mail', cell: (queue) => queue.contact?.email },
    status: { title: 'Status', kind: 'status' },
    count: { title: 'Agents', kind: 'number', cell: (queue) => queue.agents.length },
    agents: {
      schema: array(object({ id, extensionNumber: optional(text), name: text, status: text })),
      title: 'Members',
      cell: (queue) => queue.agents.map(nameOf).join(', '),
    },
  },
);

interface QueueAgent {
  readonly name: string;
  readonly extensionNumber?: string | undefined;
  readonly status: string;
}

function nameOf({ name, extensionNumber, status }: QueueAgent): string {
  const number = extensionNumber === undefined ? '' : ` (${extensionNumber})`;
  return `${name}${number}${status === 'Enabled' ? '' : ` ${status}`}`;
}
