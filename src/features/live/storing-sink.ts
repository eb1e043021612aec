import type { Context } from '../../runtime/context.ts';
import { messageOf } from '../../errors/command.ts';
import { RejectedEvents } from './rejected-events.ts';
import type { Intake } from './subscription/transport.ts';

/** How events that could not be stored are recovered. */
export interface RejectedRecovery {
  /** Aborts when the run ends. */
  readonly signal: AbortSignal;
  /**
   * Recovers the events since a time, in milliseconds since 1970.
   * @returns whether that was possible
   */
  readonly recover: (from: number) => Promise<boolean>;
}

/**
 * Stores each notification before it is acknowledged. Reports the first failure to store a notification, and the next
 * success.
 * @param recovery undefined if the transport delivers unacknowledged events again, or if nothing can be recovered.
 */
export function storingSink(
  ctx: Context,
  store: Pick<Intake, 'accept'> & Partial<Intake>,
  recovery?: RejectedRecovery,
): Intake {
  let isFailing = false;
  const rejections = new Set<string>();
  const rejected =
    recovery &&
    new RejectedEvents({
      ...recovery,
      now: () => ctx.now(),
      sleep: (milliseconds, signal) => ctx.sleep(milliseconds, signal),
    });
  return {
    async accept(received) {
      try {
        const result = await store.accept(received);
        if (isFailing) ctx.out.note('ucctl stores events again.');
        isFailing = false;
        rejected?.stored();
        return result;
      } catch (error) {
        if (!isFailing)
          ctx.out.warn(`ucctl cannot store events and does not acknowledge them: ${messageOf(error)}`);
        isFailing = true;
        rejected?.rejected();
        throw error;
      }
    },
    reject(reason) {
      store.reject?.(reason);
      if (rejections.has(reason)) return;
      rejections.add(reason);
      ctx.out.warn(`the receiver rejected incoming data: ${reason}`);
    },
  };
}
