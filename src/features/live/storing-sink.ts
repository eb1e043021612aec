import type { Context } from '../../runtime/context.ts';
import { messageOf } from '../../errors/command.ts';
import type { SessionPlace } from './session.ts';
import type { Origin } from './store/stored-event.ts';
import type { Intake } from './subscription/transport.ts';

/**
 * Stores each notification before it is acknowledged. Reports the first failure to store a notification, and the next
 * success.
 */
export function storingSink(ctx: Context, { inbox, receiver }: SessionPlace, origin: Origin): Intake {
  let isFailing = false;
  return {
    async accept(received) {
      try {
        const result = await inbox.accept(received, receiver, origin);
        if (isFailing) ctx.out.note('ucctl stores events again.');
        isFailing = false;
        return result;
      } catch (error) {
        if (!isFailing)
          ctx.out.warn(`ucctl cannot store events and does not acknowledge them: ${messageOf(error)}`);
        isFailing = true;
        throw error;
      }
    },
    reject: (reason, raw) => inbox.reject(reason, raw),
  };
}
