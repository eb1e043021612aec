import { isShortCode } from '../../features/outgoing/index.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';

/** What to do if the number of a text is an extension: messages within the account are pages. The service rejects short codes (ERROR-30). */
export function pagerHint(extension: string): Hint {
  if (isShortCode(extension))
    return nextStep`texts to short codes are not possible; to send a message to an extension: ${ucctl(`pager send --to ${extension} "TEXT"`)}`;
  return nextStep`to send a message to an extension: ${ucctl(`pager send --to ${extension} "TEXT"`)}`;
}
