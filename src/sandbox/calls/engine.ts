import type { CallStatus, LegStatus } from '../../contract/enums.ts';
import type { PhoneBehaviour } from './magic-numbers.ts';
import type { CallRow, LegRow } from './store.ts';
import type { World } from '../world/world.ts';
import { logCall } from './log.ts';
import { nextCallStatus, nextLegStatus } from './machine.ts';
import { callOf, currentLeg, isConnected } from './state.ts';
import { telephoneChanged } from './telephony-state.ts';
import { extensionTelephone, readyAgents, type Telephone } from './telephone.ts';

const firstCallId = 8_040_215_000;
const step = 'call.step';
/** Duration of calls to the magic number for long calls, which is long enough for a recording. */
const longTalkMilliseconds = 90_000;

export interface NewCall {
  readonly accountId: number;
  readonly kind: CallRow['kind'];
  readonly ownerId: number | null;
  readonly queueId: number | null;
  readonly playPrompt?: boolean | undefined;
  readonly caller: Telephone;
  readonly callee: Telephone;
  /** Overrides the setting callTalkMilliseconds. */
  readonly talkMilliseconds?: number | undefined;
}

/**
 * Starts a call. A two-legged call rings the caller first; in any other call the caller is connected and the callee
 * rings.
 */
export function startCall(world: World, call: NewCall): number {
  const id = addCall(world, call);
  const dead = [call.caller, call.callee].findIndex(({ plan }) => plan === 'unreachable');
  if (dead >= 0) fail(world, id, dead, 'GenericError');
  else ring(world, id, 0);
  return id;
}

/** Records a call that is not allowed; no phone rings. */
export function rejectCall(world: World, call: NewCall): number {
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

/** Answers the call at the phone of this leg, or at the number to which its calls are forwarded. */
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

/**
 * Handles a phone that is busy, does not answer or rejects the call. A queue call goes to the next agent; any other
 * call fails.
 */
export function fail(world: World, callId: number, position: number, status: LegStatus): void {
  const leg = legOf(world, callId, position);
  moveLeg(world, leg, status);
  const call = callOf(world, callId);
  if (position === 0 || call.queueId === null) return giveUp(world, call, leg, status);
  const rung = new Set(world.calls.legs(callId).map(({ extensionId }) => extensionId));
  const next = readyAgents(world, call.queueId).find(({ id }) => !rung.has(id));
  if (!next) return giveUp(world, call, leg, status);
  telephoneChanged(world, callId, leg.extensionId);
  addLeg(world, callId, position + 1, extensionTelephone(world, next, 'queue'));
  ring(world, callId, position + 1);
}

/** Hangs up a phone. A connected call ends; a leg that is still ringing becomes Rejected. */
export function hangUp(world: World, callId: number): void {
  const call = callOf(world, callId);
  world.calls.save({ ...call, ending: 'hangUp' });
  close(world, callId, isConnected(call) ? undefined : 'CannotReach');
}

/** Puts a connected call on hold or parks it, or resumes it (`null`). A call on hold has no timer that ends it. */
export function holdLeg(world: World, callId: number, position: number, state: LegRow['held']): void {
  const leg = legOf(world, callId, position);
  world.calls.saveLeg({ ...leg, held: state });
  telephoneChanged(world, callId, leg.extensionId);
  const isOnHold = world.calls.legs(callId).some((one) => one.held !== null);
  if (isOnHold) world.timers.cancel(step, callId);
  else if (world.settings.callProgression === 'timed') {
    world.timers.set(step, callId, world.clock.now() + callOf(world, callId).talkMilliseconds);
  }
}

/** Cancels a two-legged call for its user. */
export function cancelCall(world: World, callId: number): void {
  world.calls.save({ ...callOf(world, callId), ending: 'cancelled' });
  close(world, callId, 'CannotReach');
}

/** Runs the next timed step of a call. */
export function stepCall(world: World, callId: number): void {
  const call = callOf(world, callId);
  if (call.endedAt !== null) return;
  const leg = currentLeg(world, callId);
  const callerLeaves = leg.position > 0 && legOf(world, callId, 0).plan === 'hangUp';
  if (isConnected(call) || callerLeaves) return hangUp(world, callId);
  playOut(world, leg);
}

/** Applies the outcome that is planned for the phone. */
function playOut(world: World, { callId, position, plan }: LegRow): void {
  if (plan === 'answer' || plan === 'hangUp' || plan === 'longTalk') {
    return answerLeg(world, callId, position);
  }
  const status = failures[plan];
  if (status) fail(world, callId, position, status);
}

const failures: Readonly<Partial<Record<PhoneBehaviour, LegStatus>>> = {
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
  // A phone that rings until a user acts needs no timer.
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

/** Ends a call that nobody answers. An external caller leaves a voicemail. */
function giveUp(world: World, call: CallRow, leg: LegRow, status: LegStatus): void {
  const hasMailbox = call.kind === 'inbound' && leg.position > 0 && status !== 'GenericError';
  if (hasMailbox) world.calls.save({ ...call, ending: 'voicemail' });
  close(world, call.id, leg.plan === 'serverFailure' ? 'NoAnsweringMachine' : 'CannotReach');
}

/**
 * Ends a call: connected legs become Finished, ringing legs Rejected. The status of a connected call does not change.
 */
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
    callerId: telephone.callerId ?? null,
  });
}

/** Returns a leg of a call. @throws {Error} for a missing leg, which is a bug of the sandbox. */
function legOf(world: World, callId: number, position: number): LegRow {
  const leg = world.calls.legs(callId)[position];
  if (!leg) throw new Error(`call ${callId} has no leg ${position}`);
  return leg;
}
