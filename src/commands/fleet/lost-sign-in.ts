import type { SignInLoss } from '../../features/fleet/index.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';

/** Returns the lost sign-in of a worker as text: the profile, the machine and the reason. */
export function lossOf({ profile, problem }: SignInLoss): string {
  return `profile ${profile}: ${problem}`;
}

/** Returns the next step after the loss of a sign-in. */
export function signInAgain({ profile }: SignInLoss): Hint {
  return nextStep`on the machine of the worker, sign in again: ${ucctl`login -p ${profile}`}`;
}
