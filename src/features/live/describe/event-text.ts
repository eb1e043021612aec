/** The description of an event, as one sentence. */
export interface EventText {
  /** The person and the action; never truncated. */
  readonly head: string;
  /**
   * Text that somebody wrote, such as the text of a message. This text follows the head and is truncated if the line is
   * too long.
   */
  readonly quote?: string | undefined;
}

/** Returns the whole sentence. */
export function sentenceOf({ head, quote }: EventText): string {
  return quote === undefined || quote === '' ? head : `${head}: ${quote}`;
}
