import type { Client } from '../../client/index.ts';
import type { RingOut } from '../../contract/ringout.ts';
import { isRefusedWith } from '../../errors/service.ts';

/** What is waited for: the call connected or failed, or both sides ended. */
export type RingOutGoal = 'connected' | 'finished';

export interface FollowParts {
  readonly api: Pick<Client, 'ringOuts'>;
  readonly goal: RingOutGoal;
  /** Milliseconds between two looks: 30 of 50 light requests a minute are taken at 2 s. */
  readonly intervalMilliseconds: number;
  readonly signal: AbortSignal;
  sleep(milliseconds: number): Promise<void>;
}

/** Every change of a call from `first` on, until the goal is reached or cannot be any more. */
export async function* followRingOut(
  first: RingOut,
  parts: FollowParts,
): AsyncGenerator<RingOut, void, undefined> {
  let shown = first;
  yield first;
  while (!isOver(shown, parts.goal)) {
    await parts.sleep(parts.intervalMilliseconds);
    const next = await look(parts, shown);
    if (JSON.stringify(next.status) === JSON.stringify(shown.status)) continue;
    shown = next;
    yield next;
  }
}

/** Whether the wait is over (CLIENT-19). */
export function isOver({ status }: Pick<RingOut, 'status'>, goal: RingOutGoal): boolean {
  const { callStatus, callerStatus, calleeStatus } = status;
  const legs = [callerStatus, calleeStatus];
  if (legs.includes('NoSessionFound')) return true;
  if (callStatus === 'Unknown') return false;
  if (goal === 'connected') return callStatus !== 'InProgress';
  return callStatus !== 'InProgress' && legs.every((leg) => leg !== 'InProgress' && leg !== 'Success');
}

async function look({ api, signal }: FollowParts, before: RingOut): Promise<RingOut> {
  try {
    return await api.ringOuts.get(before.id, { signal });
  } catch (error) {
    // Some services forget a call at once when it is over.
    if (!isRefusedWith(error, 404)) throw error;
    const { callStatus } = before.status;
    return {
      ...before,
      status: { callStatus, callerStatus: 'NoSessionFound', calleeStatus: 'NoSessionFound' },
    };
  }
}
