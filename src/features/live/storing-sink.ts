import type { Context } from '../../runtime/context.ts';
import { messageOf } from '../../errors/command.ts';
import type { Intake } from './subscription/transport.ts';

/**
 * Stores each notification before it is acknowledged. Reports the first failure to store a notification, and the next
 * success.
 */
export function storingSink(ctx: Context, store: Intake): Intake {
  let isFailing = false;
  return {
    async accept(received) {
      try {
        const result = await store.accept(received);
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
    reject: (reason, raw) => store.reject(reason, raw),
  };
}
