/** What happened, as one sentence. */
export interface EventText {
  /** Who and what; never cut. */
  readonly head: string;
  /** Text that somebody wrote, such as the text of a message. It follows the head and is cut if the line is too long. */
  readonly quote?: string | undefined;
}

/** The whole sentence. */
export function sentenceOf({ head, quote }: EventText): string {
  return quote === undefined || quote === '' ? head : `${head}: ${quote}`;
}
