import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import type { Outcome } from './outcome.ts';

/** Returns the last step for an outcome that the user must determine. */
export function resolveByHand({ id }: Pick<Outcome, 'id'>): Hint {
  return nextStep`then resolve the outcome: ${ucctl`outcome resolve ${id} --as sent`}, or --as not-sent`;
}
