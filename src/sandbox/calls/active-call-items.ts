import { createHash } from 'node:crypto';
import type { LegRow } from './store.ts';
import type { World } from '../world/world.ts';
import { callOf, calleeOf, shownCaller, telephonyStatusOf } from './state.ts';

/** Largest number of calls in the presence of one extension (PRESENCE-4). */
const latest = 7;

/**
 * Returns the `activeCalls` of a presence: ringing and connected calls, latest first, then calls that have just ended.
 */
export function activeCallItems(
  world: World,
  extensionId: number,
  sipData: boolean,
  ended: readonly LegRow[] = [],
) {
  const legs = [...world.calls.live(extensionId), ...ended];
  return legs.slice(0, latest).map((leg) => toItem(world, leg, sipData));
}

function toItem(world: World, leg: LegRow, sipData: boolean) {
  const call = callOf(world, leg.callId);
  const legs = world.calls.legs(leg.callId);
  const isCaller = leg.position === 0;
  const caller = isCaller ? leg : shownCaller(legs[0] ?? leg);
  const callee = isCaller ? calleeOf(legs) : leg;
  const isOver = leg.endedAt !== null;
  return {
    id: Buffer.from(`${leg.callId}:${leg.position}`).toString('base64url'),
    direction: isCaller ? 'Outbound' : 'Inbound',
    queueCall: call.queueId !== null,
    ...partyOf(world, 'from', caller),
    ...partyOf(world, 'to', callee),
    startTime: world.clock.iso(leg.startedAt ?? call.startedAt),
    telephonyStatus: telephonyStatusOf(leg),
    sessionId: String(call.id),
    telephonySessionId: call.telephonySessionId,
    ...callInfoOf(world, call.queueId),
    partyId: `${call.telephonySessionId.replace(/^s-/, 'p-')}-${leg.position + 1}`,
    ...(isOver && { terminationType: 'final' }),
    ...(sipData && { sipData: sipDataOf(call.telephonySessionId, leg, isCaller ? callee : caller) }),
  };
}

/** Names the queue of a queue call (PRESENCE-23). */
function callInfoOf(world: World, queueId: number | null) {
  const queue = queueId === null || !world.dialect.hasCallInfo ? undefined : world.extensions.byId(queueId);
  if (!queue) return {};
  const primary = { type: 'QueueName', value: queue.name };
  const additional = { type: 'QueueExtension', value: queue.extensionNumber };
  return { callInfo: { primary, additional } };
}

function partyOf(world: World, side: 'from' | 'to', leg: LegRow) {
  const extension = leg.extensionId === null ? undefined : world.extensions.byId(leg.extensionId);
  const address = leg.phoneNumber ?? extension?.extensionNumber;
  const name = leg.name ?? extension?.name;
  return { ...(address && { [side]: address }), ...(name && { [`${side}Name`]: name }) };
}

/** The tags are derived from the session, so that the tags of a call never change. */
function sipDataOf(session: string, leg: LegRow, peer: LegRow) {
  const tag = (part: string) =>
    createHash('sha256').update(`${session}:${leg.position}:${part}`).digest('hex').slice(0, 24);
  const uri = ({ phoneNumber, extensionId }: LegRow) =>
    `sip:${phoneNumber ?? extensionId ?? 'anonymous'}@sip.example.com`;
  return {
    callId: tag('call'),
    toTag: tag('to'),
    fromTag: tag('from'),
    remoteUri: uri(peer),
    localUri: uri(leg),
    rcSessionId: session,
  };
}
