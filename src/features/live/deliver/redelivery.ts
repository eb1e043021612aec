import { setTimeout as delay } from 'node:timers/promises';
import { redelivery, type Lane } from '../store/attempts.ts';
import type { Inbox } from '../store/inbox.ts';
import { LongWaits, type LongWait } from './long-waits.ts';

/** Milliseconds between two checks whether the attempt of a listener has ended. */
const checkInterval = 100;

/** Delivers dead letters without attempts of listeners in the same lane at the same time. */
export interface Redelivery {
  /** Runs `work` when no listener has an attempt in this lane. The listeners wait until `work` ends. */
  inLane<T>(lane: Lane, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  release(): void;
}

/**
 * Starts a redelivery. Undefined while another process redelivers dead letters of this inbox.
 * @param onWait called with each listener whose attempt takes long
 */
export function startRedelivery(inbox: Inbox, onWait: (wait: LongWait) => void): Redelivery | undefined {
  const lock = inbox.lockReceiver(redelivery);
  if (!lock) return undefined;
  const { attempts } = inbox;
  attempts.endAll(redelivery);
  const waits = new LongWaits(inbox, onWait);
  const runningIn = (lane: Lane): string | undefined =>
    attempts.receivers(lane).find((receiver) => isRunning(inbox, receiver));
  return {
    async inLane(lane, signal, work) {
      attempts.occupy(lane);
      try {
        const waitFor = waits.start(lane.target);
        for (let other = runningIn(lane); other !== undefined; other = runningIn(lane)) {
          waitFor(other);
          await delay(checkInterval, undefined, { signal });
        }
        return await work();
      } finally {
        attempts.end(lane, redelivery);
      }
    },
    release: () => lock.release(),
  };
}

/** Begins an attempt of a listener. Returns false while a running process redelivers dead letters of the lane. */
export function beginAttempt(inbox: Inbox, lane: Lane, receiver: string): boolean {
  const { attempts } = inbox;
  return attempts.begin(lane, receiver) || (!isRunning(inbox, redelivery) && attempts.begin(lane, receiver));
}

/** Whether the process of an owner is running. The attempts of a process that was killed are deleted. */
function isRunning(inbox: Inbox, owner: string): boolean {
  const lock = inbox.lockReceiver(owner);
  if (!lock) return true;
  inbox.attempts.endAll(owner);
  lock.release();
  return false;
}
