import type { LegRow } from '../store/calls.ts';
import type { World } from '../world.ts';
import { answerLeg, fail, hangUp } from './engine.ts';
import { isConnected, callOf } from './state.ts';
import { extensionOfNumber } from './telephone.ts';

/** What a hand can do with a telephone. */
export type PhoneAction = 'answer' | 'busy' | 'reject' | 'hangup';
export const PHONE_ACTIONS: readonly PhoneAction[] = ['answer', 'busy', 'reject', 'hangup'];

/** What became of a telephone that was touched. */
export interface PhoneState {
  readonly sessionId: string;
  readonly callStatus: string;
  readonly legStatus: string;
}

/**
 * Picks up, refuses or puts down the telephone of a number: of anyone outside, or a direct or short number of the account. Undefined
 * when the telephone does not ring (or, to hang up, is in no call). Runs in a transaction of the caller's.
 */
export function touchPhone(world: World, number: string, action: PhoneAction): PhoneState | undefined {
  const leg = legsAt(world, number).find((candidate) => isReady(world, candidate, action));
  if (!leg) return undefined;
  act(world, leg, action);
  const after = world.calls.legs(leg.callId)[leg.position] ?? leg;
  const { callStatus } = callOf(world, leg.callId);
  return { sessionId: String(leg.callId), callStatus, legStatus: after.status };
}

function legsAt(world: World, number: string): readonly LegRow[] {
  const byNumber = world.calls.liveByNumber(number);
  if (byNumber.length > 0) return byNumber;
  const accountId = world.accounts.first().id;
  const extension = extensionOfNumber(world, number) ?? world.extensions.byNumber(accountId, number);
  return extension ? world.calls.live(extension.id) : [];
}

/** Only a telephone that rings can be picked up or refused. */
function isReady(world: World, leg: LegRow, action: PhoneAction): boolean {
  if (action !== 'hangup') return leg.status === 'InProgress';
  return leg.status === 'Success' || isConnected(callOf(world, leg.callId));
}

function act(world: World, { callId, position }: LegRow, action: PhoneAction): void {
  switch (action) {
    case 'answer':
      return answerLeg(world, callId, position);
    case 'busy':
      return fail(world, callId, position, 'Busy');
    case 'reject':
      return fail(world, callId, position, 'Rejected');
    case 'hangup':
      return hangUp(world, callId);
  }
}
