import { phoneActions, touchPhone } from '../calls/phones.ts';
import type { World } from '../world/world.ts';
import { ControlError } from './control-error.ts';

/** What a hand does with a phone. @throws {ControlError} 400 for an unknown action, 409 when the phone is in no state for it. */
export function actOnPhone(world: World, number: string, action: string): object {
  const known = phoneActions.find((one) => one === action);
  if (!known) throw new ControlError(400, 'bad_input', `a phone can ${phoneActions.join(', ')}`);
  const state = world.inTransaction(() => touchPhone(world, number, known));
  if (state) return state;
  throw new ControlError(
    409,
    'phone_not_ready',
    `the phone ${number} cannot ${known} now: it does not ring, or is in no call for it`,
  );
}
