import type { RingOut } from '../../contract/ringout.ts';
import { id, optional, text, time } from '../../runtime/output-schema.ts';
import { rows, source, type RowOf } from '../../runtime/rows.ts';

/** The state of a RingOut call at one moment. */
export type RingOutState = RowOf<typeof ringOutRows>;

/** The data from which a RingOut state is made. */
interface SeenCall {
  readonly call: RingOut;
  /** The status of the call as a sentence. */
  readonly explanation: string;
  /** Time at which the status was read, in milliseconds since 1970. */
  readonly now: number;
}

export const ringOutRows = rows(
  { source: source<SeenCall>() },
  {
    id: { schema: id, from: ({ call }) => call.id, title: 'ID', kind: 'id', priority: 4 },
    callStatus: {
      schema: text,
      from: ({ call }) => call.status.callStatus,
      title: 'CALL',
      kind: 'status',
      priority: 5,
    },
    callerStatus: {
      schema: text,
      from: ({ call }) => call.status.callerStatus,
      title: 'CALLER',
      kind: 'status',
      priority: 5,
    },
    calleeStatus: {
      schema: text,
      from: ({ call }) => call.status.calleeStatus,
      title: 'CALLEE',
      kind: 'status',
      priority: 5,
    },
    explanation: {
      schema: text,
      from: ({ explanation }) => explanation,
      title: 'EXPLANATION',
      priority: 3,
      folds: true,
    },
    time: { schema: time, from: ({ now }) => new Date(now).toISOString() },
    uri: { schema: optional(text), from: ({ call }) => call.uri },
  },
);
