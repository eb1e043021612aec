import type { CellPlace, ListProblem, Place, RefusedRow, RunInput } from '../bulk/index.ts';

export type AssignmentAction = 'add' | 'remove';

/** One wish of the user, in the user's words. */
export interface AssignmentRequest {
  readonly queue: string;
  readonly agent: string;
  readonly action: AssignmentAction;
  /** Absent when it came from flags. */
  readonly place?: Place;
  /** Where the queue is named, when that is elsewhere. */
  readonly queuePlace?: Place;
  /** Index of the row of the input that it stands in. */
  readonly row?: number;
}

/** A wish that nothing is sent for, and why. */
export interface RefusedWish extends RefusedRow {
  readonly queue: string;
  readonly agent: string;
  readonly action: AssignmentAction;
}

/** A wish that is not carried out, with a stable code and a sentence. */
export function refuse(
  { queue, agent, action, row }: AssignmentRequest,
  code: string,
  why: { readonly place: CellPlace | undefined; readonly message: string },
): RefusedWish {
  const { place, message } = why;
  return { queue, agent, action, row, code, ...(place && { place }), message };
}

/** A queue of which the list says who is in it, all of them. */
export interface WantedQueue {
  readonly queue: string;
  readonly place?: Place;
}

/** A readable list of wishes, or everything that is wrong with it; nothing is sent when there is a problem. */
export interface ReadResult {
  /** Beside problems only those of the readable rows: to be looked up, never to be sent. */
  readonly requests: readonly AssignmentRequest[];
  /** Every queue that the list speaks of, where it says who is in a queue; empty where it says what to change. */
  readonly wanted: readonly WantedQueue[];
  /** The list as it was, for the results file. */
  readonly input: RunInput;
  /** In the order of the file. */
  readonly problems: readonly ListProblem[];
}

/** Wishes given by flags, all for one queue. */
export function fromFlags(queue: string, add: readonly string[], remove: readonly string[]): ReadResult {
  const wish = (action: AssignmentAction) => (agent: string) => ({ queue, agent, action });
  return rowsOf([...add.map(wish('add')), ...remove.map(wish('remove'))], []);
}

/** A list that had no rows of its own gets some, so that its results can be a list again. */
export function rowsOf(requests: readonly AssignmentRequest[], wanted: readonly WantedQueue[]): ReadResult {
  return {
    requests: requests.map((request, row) => ({ ...request, row })),
    wanted,
    input: {
      headings: ['queue', 'extension', 'action'],
      rows: requests.map(({ queue, agent, action }) => [queue, agent, action]),
    },
    problems: [],
  };
}
