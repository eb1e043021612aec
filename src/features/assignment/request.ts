import {
  skippedProblems,
  type CellPlace,
  type ListProblem,
  type Place,
  type SkippedRow,
  type RunInput,
} from '../bulk/index.ts';

export type AssignmentAction = 'add' | 'remove';

/** One requested change, with names as the user wrote them. */
export interface AssignmentRequest {
  readonly queue: string;
  readonly agent: string;
  readonly action: AssignmentAction;
  /** Place of the row; absent for a request from options. */
  readonly place?: Place;
  /** The place of the queue's name, if it is in another row. */
  readonly queuePlace?: Place;
  /** Index of the row in the input; absent for a request from options. */
  readonly row?: number;
}

/** A request that is skipped, with the reason. */
export interface SkippedRequest extends SkippedRow {
  readonly queue: string;
  readonly agent: string;
  readonly action: AssignmentAction;
}

/** Creates a skipped request, with a stable code and a message. */
export function skip(
  { queue, agent, action, row }: AssignmentRequest,
  code: string,
  why: { readonly place: CellPlace | undefined; readonly message: string },
): SkippedRequest {
  const { place, message } = why;
  return { queue, agent, action, row, code, ...(place && { place }), message };
}

/** A queue of a desired state, whose agents are all in the list. */
export interface DesiredQueue {
  readonly queue: string;
  readonly place?: Place;
  /** Whether the entry alone names all agents of the queue, so that a second entry for the queue contradicts it. */
  readonly isWhole?: boolean;
}

/** A row of a matrix. */
export interface ListedAgent {
  readonly agent: string;
  readonly place: Place;
  /** The queues that the row marks. */
  readonly queues: readonly string[];
}

/** The name next to a queue of a desired state. It only describes the queue: no request changes it. */
export interface QueueLabel {
  /** The queue as the file names it. */
  readonly queue: string;
  readonly label: string;
  /** The name that the settings of the queue set; undefined if they set no name. */
  readonly newName: string | undefined;
  readonly place: Place;
}

/** A list and its problems. If there are problems, nothing may be sent. */
export interface ReadResult {
  /**
   * The requests of the list. If there are problems, only the requests of readable rows: their names are looked up, but
   * the requests are not sent.
   */
  readonly requests: readonly AssignmentRequest[];
  /** The queues of a desired state; empty for a list of changes. */
  readonly desired: readonly DesiredQueue[];
  /** The unchanged list, for the results file. */
  readonly input: RunInput;
  /** Problems in the order of the file. */
  readonly problems: readonly ListProblem[];
  /** The rows with problems, which --skip-invalid skips. */
  readonly invalid: readonly SkippedRequest[];
  /** Whether a desired state contains settings of queues, which `readResourceFile` reads. */
  readonly hasSettings?: boolean;
  /** The names next to the queues of a desired state. */
  readonly labels?: readonly QueueLabel[];
  /** The rows of a matrix. */
  readonly agents?: readonly ListedAgent[];
  /** Texts about parts of the list that no code reads. */
  readonly warnings?: readonly string[];
}

/** Returns the rows of a list that contain problems, as skipped requests. */
export function invalidRequests(
  rows: readonly AssignmentRequest[],
  problems: readonly ListProblem[],
): readonly SkippedRequest[] {
  const byLine = new Map(rows.map((row) => [row.place?.line, row]));
  return skippedProblems(problems).flatMap(({ row, code, place, message }) => {
    const request = byLine.get(place?.line);
    if (!request) return [];
    const { queue, agent, action } = request;
    return [{ queue, agent, action, row, code, ...(place && { place }), message }];
  });
}

/** Returns the requests of `--add` and `--remove`, for one queue. */
export function fromFlags(queue: string, add: readonly string[], remove: readonly string[]): ReadResult {
  const request = (action: AssignmentAction) => (agent: string) => ({ queue, agent, action });
  return rowsOf([...add.map(request('add')), ...remove.map(request('remove'))], []);
}

/** Creates CSV rows for requests without rows, so that users can use the results file as a list. */
export function rowsOf(requests: readonly AssignmentRequest[], desired: readonly DesiredQueue[]): ReadResult {
  return {
    requests: requests.map((request, row) => ({ ...request, row })),
    desired,
    input: {
      headings: ['queue', 'extension', 'action'],
      rows: requests.map(({ queue, agent, action }) => [queue, agent, action]),
    },
    problems: [],
    invalid: [],
  };
}
