import type { Delivery } from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { View } from '../../runtime/output.ts';
import { eventView, toRow, type EventRow } from './event-row.ts';
import { findEvent, withInbox } from './with-inbox.ts';

export interface EventsShowOptions {
  readonly id: string;
}

interface EventDetail extends EventRow {
  /** Where it was handed on to. */
  readonly deliveries: readonly Pick<
    Delivery,
    'target' | 'state' | 'attempts' | 'problem' | 'milliseconds'
  >[];
}

const view: View<EventDetail> = {
  columns: [
    ...eventView.columns,
    {
      key: 'deliveries',
      title: 'HANDED ON',
      kind: 'text',
      value: (row) => row.deliveries.map(({ target, state }) => `${target} ${state}`).join(', '),
    },
    { key: 'body', title: 'BODY', kind: 'text', value: (row) => row.body && JSON.stringify(row.body) },
  ],
};

/** `events show ID|UUID` */
export async function showEvent(ctx: Context, { id }: EventsShowOptions): Promise<void> {
  await withInbox(ctx, async (inbox) => {
    const stored = findEvent(inbox, id);
    const deliveries = inbox.deliveries
      .of(stored.id)
      .map(({ target, state, attempts, problem, milliseconds }) => ({
        target,
        state,
        attempts,
        problem,
        milliseconds,
      }));
    await ctx.out.record({ ...toRow(stored), deliveries }, view);
  });
}
