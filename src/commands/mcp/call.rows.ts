import { integer, oneOf, optional, text, time } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** A recorded tool call of an AI agent. */
export type CallRow = RowOf<typeof callRows>;
export type CallOutcome = CallRow['outcome'];

export const callRows = rows(
  { empty: 'No tool calls recorded.' },
  {
    time: { schema: time, title: 'Time', kind: 'time' },
    /** Name and version that the client states about itself. */
    client: { schema: text, title: 'Client' },
    tool: { schema: text, title: 'Tool' },
    /** `started` precedes a change; without a later line, its outcome is unknown. */
    outcome: {
      schema: oneOf('read', 'preview', 'declined', 'started', 'done', 'failed', 'rejected'),
      title: 'Outcome',
      kind: 'status',
    },
    exit: { schema: optional(integer), title: 'Exit', kind: 'number' },
    command: { schema: text, title: 'Command', folds: 3 },
  },
);
