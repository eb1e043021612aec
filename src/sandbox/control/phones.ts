import { PHONE_ACTIONS, touchPhone, type PhoneAction } from '../calls/phones.ts';
import type { World } from '../world.ts';
import { ControlError, missing } from './control-error.ts';

/** What someone does with a phone. @throws {ControlError} 404 for an unknown action, 409 when the phone is in no state for it. */
export function actOnPhone(world: World, number: string, action: string, _input: unknown): object {
  if (!isAction(action)) return missing(`action ${action}; there are: ${PHONE_ACTIONS.join(', ')}`);
  const after = world.inTransaction(() => touchPhone(world, number, action));
  if (after) return after;
  const why = action === 'hangup' ? 'is in no call' : 'does not ring';
  throw new ControlError(409, 'phone_idle', `the phone ${number} ${why}`);
}

function isAction(text: string): text is PhoneAction {
  return (PHONE_ACTIONS as readonly string[]).includes(text);
}
