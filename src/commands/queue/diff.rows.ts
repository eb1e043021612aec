import { comparedValue } from '../../runtime/compared-value.ts';
import { anything, list, oneOf, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';
import { withNumber } from '../../runtime/with-number.ts';

/** One difference between a file and the service. */
export type DiffRow = RowOf<typeof diffRows>;

export const diffRows = rows(
  { empty: 'No differences.' },
  {
    queue: {
      schema: text,
      title: 'QUEUE',
      priority: 6,
      shown: ({ queue, queueName }) => withNumber(queueName, queue),
    },
    queueName: { schema: text, title: 'QUEUE NAME', isIncluded: true },
    /** An agent, a setting, or the queue itself if it does not exist. */
    kind: { schema: oneOf('agent', 'setting', 'queue'), title: 'KIND', priority: 4 },
    name: { schema: text, title: 'WHAT', priority: 7 },
    /** The value in the file; for agents, whether the file lists them. */
    inFile: { schema: anything, title: 'FILE', priority: 5, cell: ({ inFile }) => comparedValue(inFile) },
    /** The value on the service; for agents, whether they are in the queue. */
    inService: {
      schema: anything,
      title: 'SERVICE',
      priority: 5,
      cell: ({ inService }) => comparedValue(inService),
    },
  },
);

/** The output of `queue diff`. */
export const diffOutput = list(diffRows);
