import { integer, oneOf, optional, text, time } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** A recorded tool call of an AI agent. */
export type CallRow = RowOf<typeof callRows>;
export type CallOutcome = CallRow['outcome'];

export const callRows = rows(
  { empty: 'No tool calls recorded.' },
  {
    time: { schema: time, title: 'TIME', kind: 'time' },
    /** Name and version that the client states about itself. */
    client: { schema: text, title: 'CLIENT' },
    tool: { schema: text, title: 'TOOL' },
    /** `started` precedes a change; without a later line, its outcome is unknown. */
    outcome: {
      schema: oneOf('read', 'preview', 'declined', 'started', 'done', 'failed', 'rejected'),
      title: 'OUTCOME',
      kind: 'status',
    },
    exit: { schema: optional(integer), title: 'EXIT', kind: 'number' },
    command: { schema: text, title: 'COMMAND', folds: 3 },
  },
);
