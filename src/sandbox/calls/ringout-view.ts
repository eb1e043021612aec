import type { LegStatus } from '../../contract/enums.ts';
import type { CallRow } from './store.ts';
import { addressOf, ringOutPath } from '../request/uris.ts';
import type { World } from '../world/world.ts';
import { calleeOf } from './state.ts';

/** Returns the reply for a two-legged call. Some time after the end of the call, its legs have the status NoSessionFound. */
export function toRingOut(world: World, call: CallRow) {
  const legs = world.calls.legs(call.id);
  const isClosed =
    call.endedAt !== null && world.clock.now() - call.endedAt >= world.settings.ringOutRetentionMilliseconds;
  const owner = { accountId: call.accountId, id: call.ownerId ?? 0 };
  const status = (shown: LegStatus | undefined): LegStatus =>
    isClosed ? 'NoSessionFound' : (shown ?? 'Invalid');
  return {
    id: world.dialect.ringOutId === 'string' ? String(call.id) : call.id,
    uri: addressOf(world, ringOutPath(world, owner, call.id)),
    status: {
      callStatus: call.callStatus,
      callerStatus: status(legs[0]?.status),
      calleeStatus: status(calleeOf(legs).status),
    },
  };
}
