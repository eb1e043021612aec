import { flag, id, list, optional, text } from '../../runtime/output-schema.ts';
import { rows, source, type RowOf } from '../../runtime/rows.ts';

/** An agent of a queue, and whether the agent accepts calls. */
interface Availability {
  readonly id: string | number;
  readonly extensionNumber?: string | undefined;
  readonly name: string;
  readonly acceptsQueue?: boolean | undefined;
  readonly acceptsQueueCalls?: boolean | undefined;
}

export type AvailabilityRow = RowOf<typeof availabilityRows>;

export const availabilityRows = rows(
  { source: source<Availability>(), empty: 'No agents in this queue.' },
  {
    id: { schema: id, from: (agent) => agent.id, title: 'ID', kind: 'id', priority: 1 },
    extensionNumber: {
      schema: optional(text),
      from: (agent) => agent.extensionNumber,
      key: 'number',
      title: 'NUMBER',
      priority: 4,
    },
    name: { schema: text, from: (agent) => agent.name, title: 'NAME', priority: 6, apartBy: 'number' },
    /** Whether the agent accepts the calls of this queue. Absent if the service did not report it. */
    acceptsQueue: {
      schema: optional(flag),
      from: (agent) => agent.acceptsQueue,
      title: 'THIS QUEUE',
      priority: 7,
      cell: ({ acceptsQueue }) => onOrOff(acceptsQueue),
    },
    /** Whether the agent accepts calls of queues at all. */
    acceptsQueueCalls: {
      schema: optional(flag),
      from: (agent) => agent.acceptsQueueCalls,
      title: 'QUEUE CALLS',
      priority: 5,
      cell: ({ acceptsQueueCalls }) => onOrOff(acceptsQueueCalls),
    },
  },
);

export const availabilityOutput = list(availabilityRows);

function onOrOff(value: boolean | undefined): string {
  if (value === undefined) return '';
  return value ? 'on' : 'off';
}
