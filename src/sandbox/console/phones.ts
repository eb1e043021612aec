import { readyActions } from '../calls/phones.ts';
import type { LegRow } from '../calls/store.ts';
import { callOf, calleeOf, shownCaller, telephonyStatusOf } from '../calls/state.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import { presenceFields } from '../presence/view.ts';
import type { RowWindow } from '../world/sql.ts';
import type { World } from '../world/world.ts';
import type { Page, PhoneCall, PhoneView } from './types.ts';

/** Returns the phones of the account, ringing phones first. */
export function listPhones(world: World, search: string | undefined, window: RowWindow): Page<PhoneView> {
  const { rows, total } = world.console.phones(search, window);
  return { records: rows.map((row) => toPhone(world, row)), total };
}

function toPhone(world: World, extension: ExtensionRow): PhoneView {
  const { userStatus, dndStatus } = world.presences.of(extension.id);
  const phoneNumber = world.numbers.direct(extension.id)?.phoneNumber;
  const legs = world.calls.live(extension.id);
  return {
    extensionId: String(extension.id),
    number: extension.extensionNumber ?? '',
    name: extension.name,
    type: extension.type,
    status: extension.status,
    ...(phoneNumber !== undefined && { phoneNumber }),
    presenceStatus: presenceFields(world, extension).presenceStatus,
    userStatus,
    dndStatus,
    calls: legs.map((leg) => toCall(world, leg)),
    actions: readyActions(world, legs),
  };
}

function toCall(world: World, leg: LegRow): PhoneCall {
  const call = callOf(world, leg.callId);
  const legs = world.calls.legs(leg.callId);
  const isCaller = leg.position === 0;
  const queue = call.queueId === null ? undefined : world.extensions.byId(call.queueId)?.name;
  return {
    sessionId: String(call.id),
    direction: isCaller ? 'Outbound' : 'Inbound',
    ...partyOf(world, isCaller ? calleeOf(legs) : shownCaller(legs[0] ?? leg)),
    ...(queue !== undefined && { queue }),
    status: telephonyStatusOf(leg),
    since: world.clock.iso(leg.answeredAt ?? leg.startedAt ?? call.startedAt),
  };
}

/** Returns the name and number of the other party, as far as they are known. */
function partyOf(world: World, leg: LegRow): Pick<PhoneCall, 'peerName' | 'peerNumber'> {
  const owner = leg.extensionId === null ? undefined : world.extensions.byId(leg.extensionId);
  const peerName = leg.name ?? owner?.name;
  const peerNumber = leg.phoneNumber ?? owner?.extensionNumber;
  return { ...(peerName !== undefined && { peerName }), ...(peerNumber && { peerNumber }) };
}
