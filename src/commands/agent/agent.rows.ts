import type { Extension } from '../../contract/extension.ts';
import { array, flag, id, nullable, object, optional, resource, text } from '../../runtime/output-schema.ts';
import { acceptsQueueCalls } from '../../runtime/queue-calls.ts';
import { rows, source, type RowOf } from '../../runtime/rows.ts';

/** A person and the call queues in which the person is an agent. */
export interface Agent {
  readonly person: Extension;
  readonly queues: readonly Extension[];
  /**
   * Whether the person is signed out of the queue with this ID, as far as it is known. Undefined if it was not read, or if the
   * dialect has no availability in single queues.
   */
  readonly isSignedOut?: ReadonlyMap<string, boolean> | undefined;
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
    /** With `--queue`, only those of the given queues. `isSignedOut` is null if it is unknown, and absent if it was not read. */
    queues: {
      schema: array(
        object({ id, extensionNumber: optional(text), name: text, isSignedOut: optional(nullable(flag)) }),
      ),
      from: ({ queues, isSignedOut }) =>
        queues.map((queue) => ({
          id: queue.id,
          extensionNumber: queue.extensionNumber,
          name: queue.name,
          isSignedOut: isSignedOut && (isSignedOut.get(String(queue.id)) ?? null),
        })),
      title: 'QUEUES',
      priority: 5,
      cell: (agent) => agent.queues.map(({ name }) => name).join(', '),
      record: {
        cell: (agent) =>
          agent.queues.map(({ name, extensionNumber }) => `${name} (${extensionNumber ?? '-'})`).join(', '),
      },
    },
    /** Whether the agent takes calls of the listed queues, by presence and by queue. */
    queueCalls: {
      title: 'QUEUE CALLS',
      kind: 'status',
      priority: 7,
      cell: queueCallsOf,
      in: 'asked',
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
      priority: 4,
      cell: (agent) => agent.presence?.dndStatus,
      in: 'asked',
      record: { kind: 'status' },
    },
    message: { title: 'MESSAGE', cell: (agent) => agent.presence?.message, in: 'record' },
  },
);

interface QueueCalls {
  readonly queues: readonly { readonly name: string; readonly isSignedOut?: boolean | null | undefined }[];
  readonly presence?: { readonly dndStatus?: string | undefined } | undefined;
}

/** Returns `accepted`, `off` or the queues of which the agent is signed out; empty if that is unknown. */
function queueCallsOf({ queues, presence }: QueueCalls): string {
  const accepts = acceptsQueueCalls(presence?.dndStatus);
  if (accepts === false) return 'off';
  const signedOut = queues.filter(({ isSignedOut }) => isSignedOut);
  const isUnknown = !accepts || queues.some(({ isSignedOut }) => isSignedOut === null);
  if (signedOut.length === 0) return isUnknown ? '' : 'accepted';
  if (signedOut.length < queues.length)
    return `signed out of ${signedOut.map(({ name }) => name).join(', ')}`;
  return queues.length === 1 ? 'signed out of queue' : 'signed out of all queues';
}
