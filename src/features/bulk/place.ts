/** Where a row stands in a file: for messages like `agents.csv:17:extension`. */
export interface Place {
  readonly file: string;
  /** From 1; of the row's first line. */
  readonly line: number;
}

/** `file:line:column: text`, or the text alone. */
export function atPlace(place: Place | undefined, column: string, text: string): string {
  return place ? `${place.file}:${place.line}:${column}: ${text}` : text;
}
