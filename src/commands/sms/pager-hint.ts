import { isShortCode } from '../../features/outgoing/index.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';

/**
 * Returns the hint for a text whose number is an extension number: extensions receive pager messages. The service
 * rejects short codes (ERROR-30).
 */
export function pagerHint(extension: string): Hint {
  if (isShortCode(extension))
    return nextStep`use a full phone number, because texts to short codes are not possible; to send a message to an extension: ${ucctl`pager send --to ${extension} "TEXT"`}`;
  return nextStep`to send a message to an extension: ${ucctl`pager send --to ${extension} "TEXT"`}`;
}
