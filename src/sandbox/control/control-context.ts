import type { Deliverer } from '../subscriptions/deliver.ts';
import type { ReadyFile } from '../server/ready.ts';
import type { World } from '../world/world.ts';
import type { Snapshots } from './snapshots.ts';
import type { Traffic } from './traffic.ts';

/** What the control surface works on. */
export interface ControlContext {
  readonly world: World;
  readonly deliverer: Deliverer;
  readonly snapshots: Snapshots;
  readonly traffic: Traffic;
  /** Empties the sandbox and fills it again. @throws {ControlError} for an unknown fixture. */
  readonly reset: (fixture?: string) => void;
  readonly ready: () => ReadyFile;
  /** Asks whoever started the sandbox to end it. */
  readonly stop: () => void;
}
