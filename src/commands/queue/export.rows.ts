import { anyOf, array, object, optional, record, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

/** The state of the queues; with --matrix, rows whose columns depend on the queues. */
export const exportOutput = record(() =>
  anyOf(
    object({
      queues: array(
        object({
          queue: text,
          name: optional(text),
          agents: array(object({ agent: text, name: optional(text) })),
        }),
      ),
    }),
    array(object({})),
  ),
);

/** One agent of one queue, in the columns of an assignment list. */
export const memberLines = rows(
  { empty: 'No agents in these queues.' },
  {
    queue: { schema: text, title: 'QUEUE' },
    queueName: { schema: text, title: 'QUEUE NAME' },
    extension: { schema: text, title: 'AGENT' },
    agentName: { schema: text, title: 'AGENT NAME' },
  },
);
