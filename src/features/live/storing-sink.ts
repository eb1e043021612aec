import type { Context } from '../../runtime/context.ts';
import { messageOf } from '../../errors/command.ts';
import type { SessionPlace } from './session.ts';
import type { Origin } from './store/stored-event.ts';
import type { Intake } from './subscription/transport.ts';

/** Stores each notification before it is acknowledged. Reports the first that cannot be stored, and the next one that can. */
export function storingSink(ctx: Context, { inbox, receiver }: SessionPlace, origin: Origin): Intake {
  let isFailing = false;
  return {
    async accept(received) {
      try {
        const result = await inbox.accept(received, receiver, origin);
        if (isFailing) ctx.out.note('events are kept again');
        isFailing = false;
        return result;
      } catch (error) {
        if (!isFailing)
          ctx.out.warn(`events cannot be kept, and are not acknowledged until they can: ${messageOf(error)}`);
        isFailing = true;
        throw error;
      }
    },
    reject: (reason, raw) => inbox.reject(reason, raw),
  };
}
