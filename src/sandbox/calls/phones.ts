import type { LegRow } from './store.ts';
import type { World } from '../world/world.ts';
import { answerLeg, fail, hangUp, holdLeg } from './engine.ts';
import { isConnected, callOf, telephonyStatusOf } from './state.ts';
import { extensionOfNumber } from './telephone.ts';

/** What a hand can do with a telephone. */
export const phoneActions = ['answer', 'busy', 'reject', 'hangup', 'hold', 'park', 'resume'] as const;
export type PhoneAction = (typeof phoneActions)[number];

/** What became of a telephone that was touched. */
export interface PhoneState {
  readonly sessionId: string;
  readonly callStatus: string;
  readonly legStatus: string;
  /** Of whom it belongs to; of a telephone outside what it would be. */
  readonly telephonyStatus: string;
}

/**
 * Picks up, refuses or puts down the telephone of a number, or holds, parks or takes up its call: of anyone outside, or a direct or short
 * number of the account, or a number that a user's calls are forwarded to. Undefined when the telephone does not ring, or is in no call for it. Runs in a transaction of the caller's.
 */
export function touchPhone(world: World, number: string, action: PhoneAction): PhoneState | undefined {
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

function legsAt(world: World, number: string): readonly LegRow[] {
  const byNumber = world.calls.liveByNumber(number);
  if (byNumber.length > 0) return byNumber;
  const accountId = world.accounts.first().id;
  const extension = extensionOfNumber(world, number) ?? world.extensions.byNumber(accountId, number);
  return extension ? world.calls.live(extension.id) : [];
}

/** A call to a user also rings the numbers that the user's calls are forwarded to; who picked up there has the call. */
function forwardedLegs(world: World, number: string, action: PhoneAction): readonly LegRow[] {
  const forwarding = world.numbers.forwardingByNumber(number);
  if (!forwarding) return [];
  const called = world.calls.live(forwarding.extensionId).filter(({ position }) => position > 0);
  return called.filter(({ forwardedTo }) => forwardedTo === number || action === 'answer');
}

const heldBy: Readonly<Partial<Record<PhoneAction, NonNullable<LegRow['held']>>>> = {
  hold: 'OnHold',
  park: 'ParkedCall',
};

/** Only a telephone that rings can be picked up or refused, and only a connected call held. */
function isReady(world: World, leg: LegRow, action: PhoneAction): boolean {
  const connected = isConnected(callOf(world, leg.callId));
  if (action === 'hangup') return leg.status === 'Success' || connected;
  if (action === 'resume') return leg.held !== null;
  const held = heldBy[action];
  if (held !== undefined) return connected && leg.status === 'Success' && leg.held !== held;
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
      return holdLeg(world, callId, position, heldBy[action] ?? null);
  }
}
