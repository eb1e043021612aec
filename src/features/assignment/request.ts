/** Where a request stands in a file: for messages like `agents.csv:17:extension`. */
export interface Place {
  readonly file: string;
  /** From 1; of the row's first line. */
  readonly line: number;
}

export type AssignmentAction = 'add' | 'remove';

/** One wish of the user, in the user's words. */
export interface AssignmentRequest {
  readonly queue: string;
  readonly agent: string;
  readonly action: AssignmentAction;
  /** Absent when it came from flags. */
  readonly place?: Place;
}

/** A readable list of wishes, or everything that is wrong with it; nothing is sent when there is a problem. */
export interface ReadResult {
  readonly requests: readonly AssignmentRequest[];
  /** `file:line:column: what is wrong`, in the order of the file. */
  readonly problems: readonly string[];
}

/** `file:line:column: text`, or the text alone. */
export function atPlace(place: Place | undefined, column: string, text: string): string {
  return place ? `${place.file}:${place.line}:${column}: ${text}` : text;
}

/** Wishes given by flags, all for one queue. */
export function fromFlags(
  queue: string,
  add: readonly string[],
  remove: readonly string[],
): readonly AssignmentRequest[] {
  return [
    ...add.map((agent) => ({ queue, agent, action: 'add' as const })),
    ...remove.map((agent) => ({ queue, agent, action: 'remove' as const })),
  ];
}
