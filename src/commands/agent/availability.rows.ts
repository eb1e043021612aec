import { flag, id, list, optional, text } from '../../runtime/output-schema.ts';
import { rows, source } from '../../runtime/rows.ts';

/** A queue of an agent, and whether the agent accepts the calls of the queue. */
interface Availability {
  readonly id: string | number;
  readonly extensionNumber?: string | undefined;
  readonly name: string;
  readonly acceptsQueue?: boolean | undefined;
  readonly editable?: boolean | undefined;
}

export const queueAvailabilityRows = rows(
  { source: source<Availability>(), empty: 'This agent is not in any queue.' },
  {
    id: { schema: id, from: (queue) => queue.id, title: 'ID', kind: 'id', priority: 1 },
    extensionNumber: {
      schema: optional(text),
      from: (queue) => queue.extensionNumber,
      key: 'number',
      title: 'NUMBER',
      priority: 4,
    },
    name: { schema: text, from: (queue) => queue.name, title: 'QUEUE', priority: 6 },
    /** Whether the agent accepts the calls of the queue. Absent if the service did not report it. */
    acceptsQueue: {
      schema: optional(flag),
      from: (queue) => queue.acceptsQueue,
      title: 'CALLS',
      priority: 7,
      cell: ({ acceptsQueue }) => word(acceptsQueue, 'on', 'off'),
    },
    /** Whether members of the queue may change their own setting. */
    editable: {
      schema: optional(flag),
      from: (queue) => queue.editable,
      title: 'EDITABLE',
      priority: 3,
      cell: ({ editable }) => word(editable, 'yes', 'no'),
    },
  },
);

export const queueAvailabilityOutput = list(queueAvailabilityRows);

function word(value: boolean | undefined, ifTrue: string, ifFalse: string): string {
  if (value === undefined) return '';
  return value ? ifTrue : ifFalse;
}
