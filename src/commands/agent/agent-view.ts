import type { Extension } from '../../contract/extension.ts';
import type { Presence } from '../../contract/presence.ts';
import type { Column, View } from '../../runtime/output.ts';

/** An agent with the queues that calls come from. */
export interface AgentRow {
  readonly id: Extension['id'];
  readonly extensionNumber: string | undefined;
  readonly name: string;
  readonly email: string | undefined;
  readonly status: string;
  readonly queues: readonly Pick<Extension, 'id' | 'extensionNumber' | 'name'>[];
  /** There when it was asked for. */
  readonly presence?: Presence;
}

/** A person with the queues that have it as an agent. */
export function toAgent(extension: Extension, queues: readonly Extension[]): AgentRow {
  return {
    id: extension.id,
    extensionNumber: extension.extensionNumber,
    name: extension.name,
    email: extension.contact?.email,
    status: extension.status,
    queues: queues.map(({ id, extensionNumber, name }) => ({ id, extensionNumber, name })),
  };
}

const columns: readonly Column<AgentRow>[] = [
  { key: 'id', title: 'ID', kind: 'id', value: (agent) => agent.id, priority: 1 },
  { key: 'number', title: 'NUMBER', value: (agent) => agent.extensionNumber, priority: 6 },
  { key: 'name', title: 'NAME', value: (agent) => agent.name, priority: 7 },
  { key: 'email', title: 'EMAIL', value: (agent) => agent.email, priority: 2 },
  { key: 'status', title: 'STATUS', kind: 'status', value: (agent) => agent.status, priority: 4 },
  {
    key: 'queues',
    title: 'QUEUES',
    value: (agent) => agent.queues.map(({ name }) => name).join(', '),
    priority: 5,
  },
];
const presenceColumns: readonly Column<AgentRow>[] = [
  {
    key: 'presence',
    title: 'PRESENCE',
    kind: 'status',
    value: (agent) => agent.presence?.presenceStatus,
    priority: 6,
  },
  { key: 'dndStatus', title: 'CALLS TAKEN', value: (agent) => agent.presence?.dndStatus, priority: 6 },
];

/** `presence`: with the columns of presence. */
export function agentView(presence: boolean): View<AgentRow> {
  return { columns: presence ? [...columns, ...presenceColumns] : columns, empty: 'No agents.' };
}
