import type { World } from '../world.ts';
import { ControlError } from './control-error.ts';

/** What someone does with a phone. @throws {ControlError} 501 until calls are served. */
export function actOnPhone(_world: World, number: string, action: string, _input: unknown): object {
  throw new ControlError(501, 'not_served', `no phone can ${action} yet (${number})`);
}
