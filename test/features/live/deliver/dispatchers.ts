import { Dispatcher, type DispatcherSettings } from '../../../../src/features/live/deliver/dispatcher.ts';
import type { Target } from '../../../../src/features/live/deliver/target.ts';
import type { Inbox } from '../../../../src/features/live/index.ts';

/** A dispatcher that delivers each event, and retries without a delay. */
export function dispatcherOf(
  inbox: Inbox,
  receiver: string,
  targets: readonly Target[],
  changes: Partial<DispatcherSettings> = {},
): Dispatcher {
  return new Dispatcher({
    inbox,
    receiver,
    targets,
    wanted: () => true,
    keys: () => [],
    now: () => 0,
    sleep: () => Promise.resolve(),
    onDead: () => undefined,
    onProblem: () => undefined,
    onRecovered: () => undefined,
    onWait: () => undefined,
    onStoreFailure: () => undefined,
    onFailure: () => undefined,
    ...changes,
  });
}
