import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';

/** What to do if the number of a text is an extension: messages within the account are pages. */
export function pagerHint(extension: string): Hint {
  return nextStep`to send a message to an extension: ${ucctl(`pager send --to ${extension} "TEXT"`)}`;
}
