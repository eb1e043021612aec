import { anyOf, anything, array, object, optional, record, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';
import { withNumber } from '../../runtime/with-number.ts';

/** The members of the queues; with --matrix, rows whose columns depend on the queues. */
export const exportOutput = record(() =>
  anyOf(
    object({
      queues: array(
        object({
          queue: text,
          name: optional(text),
          settings: optional(anything),
          agents: array(object({ agent: text, name: optional(text) })),
        }),
      ),
    }),
    array(object({})),
  ),
);

const agentColumns = {
  extension: {
    schema: text,
    title: 'AGENT',
    priority: 4,
    shown: ({ extension, agentName }: AgentNames) => withNumber(agentName, extension),
  },
  agentName: { schema: text, title: 'AGENT NAME', isIncluded: true },
};

interface AgentNames {
  readonly extension: string;
  readonly agentName: string;
}

/** One agent of one queue, in the columns of an assignment list. */
export const memberLines = rows(
  { empty: 'No agents in these queues.' },
  {
    queue: {
      schema: text,
      title: 'QUEUE',
      priority: 4,
      shown: ({ queue, queueName }) => withNumber(queueName, queue),
    },
    queueName: { schema: text, title: 'QUEUE NAME', isIncluded: true },
    ...agentColumns,
  },
);

/** One agent with its queues. The output adds a column for each queue. */
export type MatrixRow = RowOf<typeof matrixRows>;

export const matrixRows = rows({}, { ...agentColumns, queues: { schema: array(text) } });
