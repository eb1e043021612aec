import type { LegStatus } from '../../contract/enums.ts';
import type { CallRow } from './store.ts';
import { extensionPath } from '../request/uris.ts';
import type { World } from '../world/world.ts';
import { calleeOf } from './state.ts';

/** The two-legged call as the service answers it; some time after its end its legs have no session any more. */
export function toRingOut(world: World, call: CallRow) {
  const legs = world.calls.legs(call.id);
  const isClosed =
    call.endedAt !== null && world.clock.now() - call.endedAt >= world.settings.ringOutRetentionMilliseconds;
  const owner = { accountId: call.accountId, id: call.ownerId ?? 0 };
  const status = (shown: LegStatus | undefined): LegStatus =>
    isClosed ? 'NoSessionFound' : (shown ?? 'Invalid');
  return {
    id: call.id,
    uri: `${world.baseUrl}${extensionPath(owner)}/ringout/${call.id}`,
    status: {
      callStatus: call.callStatus,
      callerStatus: status(legs[0]?.status),
      calleeStatus: status(calleeOf(legs).status),
    },
  };
}
