import type { CallStatus, LegStatus } from '../../contract/enums.ts';
import type { Outcome } from './magic-numbers.ts';
import type { CallRow, LegRow } from './store.ts';
import type { World } from '../world/world.ts';
import { logCall } from './log.ts';
import { nextCallStatus, nextLegStatus } from './machine.ts';
import { callOf, currentLeg, isConnected } from './state.ts';
import { telephoneChanged } from './telephony-state.ts';
import { extensionTelephone, readyAgents, type Telephone } from './telephone.ts';

const firstCallId = 8_040_215_000;
const step = 'call.step';
/** The longer talk of the number that is reserved for it: enough for a recording. */
const longTalkMilliseconds = 90_000;

export interface NewCall {
  readonly accountId: number;
  readonly kind: CallRow['kind'];
  readonly ownerId: number | null;
  readonly queueId: number | null;
  readonly playPrompt?: boolean | undefined;
  readonly caller: Telephone;
  readonly callee: Telephone;
  /** In place of the setting. */
  readonly talkMilliseconds?: number | undefined;
}

/** Starts a call. A two-legged one rings the caller first; any other has its caller on the line and rings who is called. */
export function startCall(world: World, call: NewCall): number {
  const id = addCall(world, call);
  const dead = [call.caller, call.callee].findIndex(({ plan }) => plan === 'unreachable');
  if (dead >= 0) fail(world, id, dead, 'GenericError');
  else ring(world, id, 0);
  return id;
}

/** A call that is not allowed: nothing rings. */
export function refuseCall(world: World, call: NewCall): number {
  const id = addCall(world, call);
  for (const leg of world.calls.legs(id)) moveLeg(world, leg, 'InternationalDisabled');
  close(world, id, 'CannotReach');
  return id;
}

function addCall(world: World, call: NewCall): number {
  const now = world.clock.now();
  const id = world.nextId('call', firstCallId);
  const isLong = [call.caller.plan, call.callee.plan].includes('longTalk');
  const row: CallRow = {
    id,
    accountId: call.accountId,
    kind: call.kind,
    ownerId: call.ownerId,
    queueId: call.queueId,
    callStatus: 'InProgress',
    ending: null,
    playPrompt: Number(call.playPrompt ?? false),
    telephonySessionId: `s-${world.random.bytes(12).toString('hex')}`,
    startedAt: now,
    connectedAt: null,
    endedAt: null,
    talkMilliseconds:
      call.talkMilliseconds ?? (isLong ? longTalkMilliseconds : world.settings.callTalkMilliseconds),
  };
  world.calls.save(row);
  addLeg(world, id, 0, call.caller);
  addLeg(world, id, 1, call.callee);
  return id;
}

/** Picks up the telephone of this leg, or the one that its calls are forwarded to. */
export function answerLeg(
  world: World,
  callId: number,
  position: number,
  forwardedTo: string | null = null,
): void {
  const leg = legOf(world, callId, position);
  world.calls.saveLeg({
    ...leg,
    forwardedTo,
    status: nextLegStatus(leg.status, 'Success'),
    answeredAt: world.clock.now(),
  });
  if (position > 0) return connect(world, callId);
  ring(world, callId, 1);
}

/** The telephone of this leg is busy, rings in vain, or refuses. The next agent of a queue gets the call; else it has failed. */
export function fail(world: World, callId: number, position: number, status: LegStatus): void {
  const leg = legOf(world, callId, position);
  moveLeg(world, leg, status);
  const call = callOf(world, callId);
  if (position === 0 || call.queueId === null) return giveUp(world, call, leg, status);
  const rung = new Set(world.calls.legs(callId).map(({ extensionId }) => extensionId));
  const next = readyAgents(world, call.queueId).find(({ id }) => !rung.has(id));
  if (!next) return giveUp(world, call, leg, status);
  telephoneChanged(world, callId, leg.extensionId);
  addLeg(world, callId, position + 1, extensionTelephone(world, next, true));
  ring(world, callId, position + 1);
}

/** Someone puts the telephone down: a connected call ends, one that still rings is lost, and the leg that rang is Rejected. */
export function hangUp(world: World, callId: number): void {
  const call = callOf(world, callId);
  world.calls.save({ ...call, ending: 'hangUp' });
  close(world, callId, isConnected(call) ? undefined : 'CannotReach');
}

/** A connected telephone puts the call on hold or parks it; it then does not end by itself, until it is taken up again (`null`). */
export function holdLeg(world: World, callId: number, position: number, held: LegRow['held']): void {
  const leg = legOf(world, callId, position);
  world.calls.saveLeg({ ...leg, held });
  telephoneChanged(world, callId, leg.extensionId);
  const stillHeld = world.calls.legs(callId).some((one) => one.held !== null);
  if (stillHeld) world.timers.cancel(step, callId);
  else if (world.settings.callProgression === 'timed') {
    world.timers.set(step, callId, world.clock.now() + callOf(world, callId).talkMilliseconds);
  }
}

/** The user cancels a two-legged call. */
export function cancelCall(world: World, callId: number): void {
  world.calls.save({ ...callOf(world, callId), ending: 'cancelled' });
  close(world, callId, 'CannotReach');
}

/** What time does next to a call. */
export function stepCall(world: World, callId: number): void {
  const call = callOf(world, callId);
  if (call.endedAt !== null) return;
  const leg = currentLeg(world, callId);
  const callerLeaves = leg.position > 0 && legOf(world, callId, 0).plan === 'hangUp';
  if (isConnected(call) || callerLeaves) return hangUp(world, callId);
  playOut(world, leg);
}

/** The telephone does what its plan says. */
function playOut(world: World, { callId, position, plan }: LegRow): void {
  if (plan === 'answer' || plan === 'hangUp' || plan === 'longTalk') {
    return answerLeg(world, callId, position);
  }
  const status = failures[plan];
  if (status) fail(world, callId, position, status);
}

const failures: Readonly<Partial<Record<Outcome, LegStatus>>> = {
  busy: 'Busy',
  noAnswer: 'NoAnswer',
  reject: 'Rejected',
  error: 'GenericError',
  internationalDisabled: 'InternationalDisabled',
  invalid: 'Invalid',
  serverFailure: 'GenericError',
};

function ring(world: World, callId: number, position: number): void {
  const leg = legOf(world, callId, position);
  world.calls.saveLeg({ ...leg, startedAt: world.clock.now() });
  const isOnTheLine = position === 0 && callOf(world, callId).kind !== 'ringout';
  if (isOnTheLine) return answerLeg(world, callId, 0);
  telephoneChanged(world, callId, leg.extensionId);
  if (position > 0) telephoneChanged(world, callId, legOf(world, callId, 0).extensionId);
  schedule(world, leg);
}

function schedule(world: World, leg: LegRow): void {
  const { callProgression, callRingMilliseconds, callNoAnswerMilliseconds } = world.settings;
  if (callProgression === 'manual') return;
  if (callProgression === 'immediate') return stepCall(world, leg.callId);
  const callerLeaves = leg.position > 0 && legOf(world, leg.callId, 0).plan === 'hangUp';
  const rings = callerLeaves ? callRingMilliseconds / 2 : callRingMilliseconds;
  const wait = leg.plan === 'noAnswer' && !callerLeaves ? callNoAnswerMilliseconds : rings;
  // The one that never stops ringing waits for a hand.
  if (leg.plan === 'ring' && !callerLeaves) return;
  world.timers.set(step, leg.callId, world.clock.now() + wait);
}

function connect(world: World, callId: number): void {
  const call = callOf(world, callId);
  const now = world.clock.now();
  world.calls.save({
    ...call,
    callStatus: nextCallStatus(call.callStatus, 'Success'),
    connectedAt: now,
  });
  everyoneChanged(world, callId);
  world.timers.cancel(step, callId);
  if (world.settings.callProgression === 'manual') return;
  const leavesAtOnce = currentLeg(world, callId).plan === 'hangUp';
  world.timers.set(step, callId, now + (leavesAtOnce ? 1000 : call.talkMilliseconds));
}

/** Nobody can be reached; a caller from outside leaves a message instead. */
function giveUp(world: World, call: CallRow, leg: LegRow, status: LegStatus): void {
  const hasMailbox = call.kind === 'inbound' && leg.position > 0 && status !== 'GenericError';
  if (hasMailbox) world.calls.save({ ...call, ending: 'voicemail' });
  close(world, call.id, leg.plan === 'serverFailure' ? 'NoAnsweringMachine' : 'CannotReach');
}

/** The end: what was connected is Finished, what still rang Rejected. A connected call keeps its status. */
function close(world: World, callId: number, callStatus: CallStatus | undefined): void {
  const now = world.clock.now();
  for (const leg of world.calls.legs(callId)) {
    if (leg.status === 'InProgress') moveLeg(world, leg, 'Rejected');
    else if (leg.status === 'Success') moveLeg(world, leg, 'Finished');
  }
  const call = callOf(world, callId);
  world.calls.save({
    ...call,
    callStatus: callStatus === undefined ? call.callStatus : nextCallStatus(call.callStatus, callStatus),
    endedAt: now,
  });
  world.timers.cancel(step, callId);
  logCall(world, callId);
  everyoneChanged(world, callId);
}

function everyoneChanged(world: World, callId: number): void {
  const extensions = new Set(world.calls.legs(callId).map(({ extensionId }) => extensionId));
  for (const extensionId of extensions) telephoneChanged(world, callId, extensionId);
}

function moveLeg(world: World, leg: LegRow, status: LegStatus): void {
  world.calls.saveLeg({
    ...leg,
    status: nextLegStatus(leg.status, status),
    endedAt: world.clock.now(),
    held: null,
  });
}

function addLeg(world: World, callId: number, position: number, telephone: Telephone): void {
  world.calls.saveLeg({
    ...telephone,
    callId,
    position,
    status: 'InProgress',
    startedAt: null,
    answeredAt: null,
    endedAt: null,
    held: null,
    forwardedTo: null,
  });
}

/** @throws {Error} for a leg that the call does not have: a bug of ours. */
function legOf(world: World, callId: number, position: number): LegRow {
  const leg = world.calls.legs(callId)[position];
  if (!leg) throw new Error(`call ${callId} has no leg ${position}`);
  return leg;
}
