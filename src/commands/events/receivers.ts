import { openEventStore, receiverStates } from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { receiverRows } from './consumer.rows.ts';

/** `events receivers`: lists the receivers of the store. */
export async function receivers(ctx: Context): Promise<void> {
  const states = await receiverStates(await openEventStore(ctx));
  await ctx.out.list(
    states.map(({ name, processes, owner, subscriptionId, eventFilters, events, lastEventAt, problem }) => ({
      receiver: name,
      processes,
      owner,
      subscriptionId,
      eventFilters: [...eventFilters],
      events,
      lastEventAt: lastEventAt?.toISOString() ?? null,
      problem,
    })),
    receiverRows.list,
  );
}
