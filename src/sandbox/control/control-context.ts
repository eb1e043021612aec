import type { Deliverer } from '../subscriptions/deliver.ts';
import type { ReadyFile } from '../server/ready.ts';
import type { World } from '../world/world.ts';
import type { Snapshots } from './snapshots.ts';
import type { Traffic } from './traffic.ts';

/** The parts of a sandbox that the control API uses. */
export interface ControlContext {
  readonly world: World;
  readonly deliverer: Deliverer;
  readonly snapshots: Snapshots;
  readonly traffic: Traffic;
  /** Resets the sandbox to its initial content. @throws {ControlError} for an unknown fixture. */
  readonly reset: (fixture?: string) => void;
  readonly ready: () => ReadyFile;
  /** Requests a stop from the program that started the sandbox. */
  readonly stop: () => void;
}
