import type { Extension } from '../../contract/extension.ts';
import { array, id, object, optional, resource, text } from '../../runtime/output-schema.ts';
import { rows, source, type RowOf } from '../../runtime/rows.ts';

/** A person and the call queues in which the person is an agent. */
interface Agent {
  readonly person: Extension;
  readonly queues: readonly Extension[];
}

/** An agent and the queues of the agent. With `--presence`, the row also has the member `presence`. */
export type AgentRow = RowOf<typeof agentRows>;

export const agentRows = rows(
  { source: source<Agent>(), empty: 'No agents.' },
  {
    id: {
      schema: id,
      from: ({ person }) => person.id,
      title: 'ID',
      kind: 'id',
      priority: 1,
      record: { title: 'ID' },
    },
    extensionNumber: {
      schema: optional(text),
      from: ({ person }) => person.extensionNumber,
      key: 'number',
      title: 'NUMBER',
      priority: 6,
    },
    name: { schema: text, from: ({ person }) => person.name, title: 'NAME', priority: 7, apartBy: 'number' },
    email: {
      schema: optional(text),
      from: ({ person }) => person.contact?.email,
      title: 'EMAIL',
      priority: 2,
      record: { title: 'E-mail' },
    },
    status: {
      schema: text,
      from: ({ person }) => person.status,
      title: 'STATUS',
      kind: 'status',
      priority: 4,
    },
    /** With `--queue`, only those of the given queues. */
    queues: {
      schema: array(object({ id, extensionNumber: optional(text), name: text })),
      from: ({ queues }) =>
        queues.map((queue) => ({ id: queue.id, extensionNumber: queue.extensionNumber, name: queue.name })),
      title: 'QUEUES',
      priority: 5,
      cell: (agent) => agent.queues.map(({ name }) => name).join(', '),
      record: {
        cell: (agent) =>
          agent.queues.map(({ name, extensionNumber }) => `${name} (${extensionNumber ?? '-'})`).join(', '),
      },
    },
    presence: {
      schema: optional(resource('Presence')),
      title: 'PRESENCE',
      kind: 'status',
      priority: 6,
      cell: (agent) => agent.presence?.presenceStatus,
      in: 'asked',
    },
    telephonyStatus: {
      title: 'TELEPHONE',
      kind: 'status',
      cell: (agent) => agent.presence?.telephonyStatus,
      in: 'record',
    },
    dndStatus: {
      title: 'CALLS TAKEN',
      priority: 6,
      cell: (agent) => agent.presence?.dndStatus,
      in: 'asked',
      record: { kind: 'status' },
    },
    message: { title: 'MESSAGE', cell: (agent) => agent.presence?.message, in: 'record' },
  },
);
