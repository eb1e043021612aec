import { maskUserInfoIn } from '../../platform/user-info.ts';
import type { Context } from '../../runtime/context.ts';
import { eventDetailView } from './event.rows.ts';
import { rowMaker } from './to-row.ts';
import { findEvent, withInbox } from './with-inbox.ts';

export interface EventsShowOptions {
  readonly id: string;
}

export async function showEvent(ctx: Context, { id }: EventsShowOptions): Promise<void> {
  await withInbox(ctx, { onlyReads: true }, async (inbox) => {
    const stored = findEvent(inbox, id);
    const deliveries = inbox.deliveries
      .of(stored.id)
      .map(({ target, state, attempts, problem, milliseconds }) => ({
        target: maskUserInfoIn(target),
        state,
        attempts,
        problem,
        milliseconds,
      }));
    await ctx.out.record({ ...rowMaker(ctx, inbox)(stored), deliveries }, eventDetailView);
  });
}
