import type { CallParty } from '../../contract/call-log.ts';
import type { LegStatus } from '../../contract/enums.ts';
import type { CallRow, LegRow } from './store.ts';
import type { World } from '../world/world.ts';
import type { NewCallRecord, StoredLeg } from './record-row.ts';
import { calleeOf, shownCaller } from './state.ts';

/** A call with the values that its records share. */
interface Ended {
  readonly call: CallRow;
  readonly endedAt: number;
  readonly caller: LegRow;
  readonly callee: LegRow;
  readonly legs: readonly LegRow[];
  readonly recordingId: number | null;
}

/**
 * Returns the records of a call, one for each participating extension, all with the same sessionId. A call in progress
 * is treated as if it ended now.
 */
export function recordsOf(
  world: World,
  call: CallRow & { readonly endedAt: number },
  recordingId: number | null,
): readonly NewCallRecord[] {
  const legs = world.calls.legs(call.id);
  const [caller] = legs;
  if (!caller) throw new Error(`call ${call.id} has no legs`);
  const ended: Ended = { call, endedAt: call.endedAt, caller, callee: calleeOf(legs), legs, recordingId };
  const seen: Ended = { ...ended, caller: shownCaller(caller) };
  const records: NewCallRecord[] = [];
  if (call.ownerId !== null) records.push(ownerRecord(world, ended, call.ownerId));
  if (call.queueId !== null) records.push(queueRecord(world, seen, call.queueId));
  for (const leg of legs.slice(1)) {
    if (leg.extensionId !== null && leg.extensionId !== call.queueId && leg.startedAt !== null) {
      records.push(calleeRecord(world, seen, leg, leg.extensionId));
    }
  }
  return records;
}

function ownerRecord(world: World, ended: Ended, ownerId: number): NewCallRecord {
  const { call, caller, callee } = ended;
  const isRingOut = call.kind === 'ringout';
  const action = isRingOut ? 'RingOut Web' : 'Phone Call';
  const leg = (own: LegRow, legType: string): StoredLeg => ({
    ...shared(world, ended, own),
    direction: 'Outbound',
    action,
    result: own === callee ? outcome(ended) : legOutcome(own, ended),
    legType,
    ...(own === caller && { extensionId: ownerId, master: true }),
  });
  return {
    ...head(world, ended, ownerId),
    direction: 'Outbound',
    action,
    result: outcome(ended),
    legs: [
      leg(caller, isRingOut ? 'RingOutWebToSubscriber' : 'SipToPstnMetered'),
      ...(callee.startedAt === null ? [] : [leg(callee, isRingOut ? 'RingOutWebToCaller' : 'Accept')]),
    ],
  };
}

function calleeRecord(world: World, ended: Ended, leg: LegRow, extensionId: number): NewCallRecord {
  const isQueue = ended.call.queueId !== null;
  const result = inboundResult(ended, leg, isQueue ? null : ended.call.ending);
  return {
    ...head(world, ended, extensionId),
    ...shared(world, ended, leg),
    direction: 'Inbound',
    action: 'Phone Call',
    result,
    recordingId: leg.answeredAt === null ? null : ended.recordingId,
    legs: [
      {
        ...shared(world, ended, leg),
        direction: 'Inbound',
        action: 'Phone Call',
        result,
        legType: isQueue ? 'Hunting' : 'Accept',
        extensionId,
        master: true,
      },
      ...findMeLegs(world, ended, leg),
    ],
  };
}

/** Returns the leg to the forwarding number at which the call was answered. */
function findMeLegs(world: World, ended: Ended, leg: LegRow): readonly StoredLeg[] {
  const { forwardedTo, answeredAt, extensionId } = leg;
  if (forwardedTo === null || answeredAt === null || extensionId === null) return [];
  const name = leg.name ?? world.extensions.byId(extensionId)?.name;
  const { from, duration, startTime } = shared(world, ended, leg);
  return [
    {
      startTime: answeredAt,
      duration: duration - Math.round((answeredAt - startTime) / 1000),
      direction: 'Outbound',
      action: 'FindMe',
      result: 'Call connected',
      legType: 'FindMe',
      transport: 'PSTN',
      from,
      to: { phoneNumber: forwardedTo, ...(name !== undefined && { name }) },
      extensionId,
    },
  ];
}

function queueRecord(world: World, ended: Ended, queueId: number): NewCallRecord {
  const { call, legs } = ended;
  const result = queueResult(call);
  const queue = world.extensions.byId(queueId);
  const to: CallParty = { ...(queue && { name: queue.name, extensionNumber: queue.extensionNumber ?? '' }) };
  const number = world.numbers.direct(queueId)?.phoneNumber;
  const base = { ...head(world, ended, queueId), to: { ...to, ...(number && { phoneNumber: number }) } };
  const rung = legs.slice(1).filter((leg) => leg.extensionId !== queueId && leg.startedAt !== null);
  return {
    ...base,
    direction: 'Inbound',
    action: 'Phone Call',
    result,
    legs: [
      {
        startTime: call.startedAt,
        duration: base.duration,
        direction: 'Inbound',
        action: 'Phone Call',
        result,
        legType: 'Accept',
        transport: 'PSTN',
        from: base.from,
        to: base.to,
        extensionId: queueId,
        master: true,
      },
      ...rung.map((leg) => huntingLeg(world, ended, leg)),
    ],
  };
}

/** Returns the record of one agent of a queue, whether or not the agent answered. */
function huntingLeg(world: World, ended: Ended, leg: LegRow): StoredLeg {
  return {
    ...shared(world, ended, leg),
    direction: 'Inbound',
    action: 'Hunting',
    result: inboundResult(ended, leg, null),
    legType: 'Hunting',
    ...(leg.extensionId !== null && { extensionId: leg.extensionId }),
  };
}

function head(world: World, ended: Ended, extensionId: number) {
  const { call, endedAt, caller, callee, recordingId } = ended;
  return {
    accountId: call.accountId,
    extensionId,
    sessionId: String(call.id),
    telephonySessionId: call.telephonySessionId,
    startTime: call.startedAt,
    duration: Math.round((endedAt - call.startedAt) / 1000),
    transport: transportOf(caller, callee),
    from: party(world, caller),
    to: party(world, callee),
    recordingId,
    lastModifiedTime: endedAt,
  };
}

/** Returns the place and duration of one leg. */
function shared(world: World, ended: Ended, leg: LegRow) {
  const startTime = leg.startedAt ?? ended.call.startedAt;
  return {
    startTime,
    duration: Math.round(((leg.endedAt ?? ended.endedAt) - startTime) / 1000),
    transport: leg.extensionId === null ? 'PSTN' : 'VoIP',
    from: party(world, ended.caller),
    to: party(world, leg === ended.caller ? ended.callee : leg),
  };
}

function transportOf(caller: LegRow, callee: LegRow): 'PSTN' | 'VoIP' {
  return caller.extensionId !== null && callee.extensionId !== null ? 'VoIP' : 'PSTN';
}

function party(world: World, leg: LegRow): CallParty {
  const extension = leg.extensionId === null ? undefined : world.extensions.byId(leg.extensionId);
  const name = leg.name ?? extension?.name;
  return {
    ...(leg.phoneNumber !== null && { phoneNumber: leg.phoneNumber }),
    ...(extension?.extensionNumber && { extensionNumber: extension.extensionNumber }),
    ...(extension && { extensionId: String(extension.id) }),
    ...(name && { name }),
  };
}

/** Returns the result of a call in the record of its caller (CALL-21). */
function outcome(ended: Ended): string {
  const { call, caller, callee } = ended;
  if (call.connectedAt !== null) return 'Call connected';
  if (call.ending === 'cancelled') return 'Stopped';
  if (call.ending === 'hangUp') return 'Hang Up';
  return results[callee.startedAt === null ? caller.status : callee.status];
}

function legOutcome(leg: LegRow, ended: Ended): string {
  if (leg.answeredAt === null) return outcome(ended);
  return 'Call connected';
}

function inboundResult({ call }: Ended, leg: LegRow, ending: CallRow['ending']): string {
  if (leg.answeredAt !== null && call.connectedAt !== null) return 'Accepted';
  return ending === 'voicemail' ? 'Voicemail' : 'Missed';
}

function queueResult(call: CallRow): string {
  if (call.connectedAt !== null) return 'Accepted';
  if (call.ending === 'voicemail') return 'Voicemail';
  return call.ending === 'hangUp' ? 'Abandoned' : 'Missed';
}

const results: Readonly<Record<LegStatus, string>> = {
  InProgress: 'In Progress',
  Success: 'Call connected',
  Finished: 'Call connected',
  Busy: 'Busy',
  NoAnswer: 'No Answer',
  Rejected: 'Rejected',
  GenericError: 'Call Failed',
  InternationalDisabled: 'International Disabled',
  Invalid: 'Internal Error',
  NoSessionFound: 'Unknown',
};
