import type { LegRow } from './store.ts';
import type { World } from '../world/world.ts';
import { answerLeg, fail, hangUp, holdLeg } from './engine.ts';
import { isConnected, callOf, telephonyStatusOf } from './state.ts';
import { extensionOfNumber } from './telephone.ts';

/** Actions on a phone. */
export const phoneActions = ['answer', 'busy', 'reject', 'hangup', 'hold', 'park', 'resume'] as const;
export type PhoneAction = (typeof phoneActions)[number];

/** The call of a phone after an action. */
export interface PhoneState {
  readonly sessionId: string;
  readonly callStatus: string;
  readonly legStatus: string;
  /** The telephonyStatus of the owner of the phone; for a phone outside the account, the equivalent status. */
  readonly telephonyStatus: string;
}

/**
 * Answers, rejects or hangs up the call of a phone, or holds, parks or resumes it. The number is outside the account, a
 * direct or extension number of the account, or a number to which a user's calls are forwarded. Undefined when the
 * phone is not ringing or has no call for the action. The caller opens the transaction.
 */
export function performPhoneAction(
  world: World,
  number: string,
  action: PhoneAction,
): PhoneState | undefined {
  const own = legsAt(world, number).find((candidate) => isReady(world, candidate, action));
  const leg = own ?? forwardedLegs(world, number, action).find((one) => isReady(world, one, action));
  if (!leg) return undefined;
  act(world, leg, action, own ? null : number);
  const after = world.calls.legs(leg.callId)[leg.position] ?? leg;
  const { callStatus } = callOf(world, leg.callId);
  return {
    sessionId: String(leg.callId),
    callStatus,
    legStatus: after.status,
    telephonyStatus: telephonyStatusOf(after),
  };
}

/** Returns the actions that a phone with these calls can perform now. */
export function readyActions(world: World, legs: readonly LegRow[]): readonly PhoneAction[] {
  return phoneActions.filter((action) => legs.some((leg) => isReady(world, leg, action)));
}

function legsAt(world: World, number: string): readonly LegRow[] {
  const byNumber = world.calls.liveByNumber(number);
  if (byNumber.length > 0) return byNumber;
  const accountId = world.accounts.first().id;
  const extension = extensionOfNumber(world, number) ?? world.extensions.byNumber(accountId, number);
  return extension ? world.calls.live(extension.id) : [];
}

/** Returns the legs of a user whose calls are forwarded to this number: ringing, or answered at this number. */
function forwardedLegs(world: World, number: string, action: PhoneAction): readonly LegRow[] {
  const forwarding = world.numbers.forwardingByNumber(number);
  if (!forwarding) return [];
  const called = world.calls.live(forwarding.extensionId).filter(({ position }) => position > 0);
  return called.filter(({ forwardedTo }) => forwardedTo === number || action === 'answer');
}

const holdStates: Readonly<Partial<Record<PhoneAction, NonNullable<LegRow['held']>>>> = {
  hold: 'OnHold',
  park: 'ParkedCall',
};

/** Only a ringing phone can answer or reject, and only a connected call can be put on hold. */
function isReady(world: World, leg: LegRow, action: PhoneAction): boolean {
  const connected = isConnected(callOf(world, leg.callId));
  if (action === 'hangup') return leg.status === 'Success' || connected;
  if (action === 'resume') return leg.held !== null;
  const holdState = holdStates[action];
  if (holdState !== undefined) return connected && leg.status === 'Success' && leg.held !== holdState;
  return leg.status === 'InProgress';
}

function act(
  world: World,
  { callId, position }: LegRow,
  action: PhoneAction,
  forwardedTo: string | null,
): void {
  switch (action) {
    case 'answer':
      return answerLeg(world, callId, position, forwardedTo);
    case 'busy':
      return fail(world, callId, position, 'Busy');
    case 'reject':
      return fail(world, callId, position, 'Rejected');
    case 'hangup':
      return hangUp(world, callId);
    case 'hold':
    case 'park':
    case 'resume':
      return holdLeg(world, callId, position, holdStates[action] ?? null);
  }
}
