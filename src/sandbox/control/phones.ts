import { phoneActions, performPhoneAction } from '../calls/phones.ts';
import type { World } from '../world/world.ts';
import { ControlError } from './control-error.ts';

/** Performs an action on a phone. @throws {ControlError} 400 for an unknown action, 409 when the phone has no call for it. */
export function actOnPhone(world: World, number: string, action: string): object {
  const known = phoneActions.find((one) => one === action);
  if (!known)
    throw new ControlError(
      400,
      'bad_input',
      `"${action}" is not a valid phone action; use one of ${phoneActions.join(', ')}`,
    );
  const state = world.inTransaction(() => performPhoneAction(world, number, known));
  if (state) return state;
  throw new ControlError(
    409,
    'phone_not_ready',
    `phone ${number} cannot ${known} now, because the phone is not ringing or has no call for this action`,
  );
}
