import {
  openEventStore,
  receiverStates,
  removeReceiver,
  type ReceiverState,
} from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { notFoundError, usageError } from '../../errors/command.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { counted } from '../../platform/counted.ts';
import { receiverRows } from './consumer.rows.ts';

export interface EventsReceiversOptions {
  readonly names: readonly string[];
  readonly remove?: boolean;
}

/** `events receivers [NAME...]`: lists the receivers of the store, or deletes them with their events. */
export async function receivers(ctx: Context, { names, remove }: EventsReceiversOptions): Promise<void> {
  if (remove && names.length === 0)
    throw usageError('--remove requires the names of receivers', ucctl('events receivers'));
  const db = await openEventStore(ctx);
  const all = await receiverStates(db);
  const unknown = names.find((name) => !all.some((one) => one.name === name));
  if (unknown !== undefined)
    throw notFoundError(
      `receiver "${unknown}" not found`,
      nextStep`to list all receivers: ${ucctl('events receivers')}`,
    );
  const states = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
  if (remove) await confirm(ctx, states);
  for (const { name, subscriptionId, events: before } of remove ? states : []) {
    const events = await removeReceiver(db, name);
    ctx.out.note(
      before === null && events === 0
        ? `Deleted receiver ${name}. Its events stay in the stream.`
        : `Deleted receiver ${name} and ${counted(events, 'event')}.`,
    );
    if (subscriptionId !== null)
      ctx.out.note(
        nextStep`Its subscription may still exist. To delete the subscription: ${ucctl`subscribe delete ${subscriptionId}`}`,
      );
  }
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

function confirm(ctx: Context, receivers: readonly ReceiverState[]): Promise<void> {
  for (const { name, events, lastEventAt } of receivers) {
    const newest = lastEventAt === null ? '' : `, the newest from ${lastEventAt.toISOString()}`;
    ctx.out.preview(
      events === null
        ? `receiver ${name}: its events are in the stream and stay there`
        : `receiver ${name}: ${counted(events, 'event')}${newest}`,
    );
  }
  return requireConfirmation(ctx, `Delete ${deletedText(receivers)} permanently?`, 'nothing was deleted');
}

function deletedText(receivers: readonly ReceiverState[]): string {
  const isOne = receivers.length === 1;
  if (receivers.every(({ events }) => events === null)) return isOne ? 'this receiver' : 'these receivers';
  return isOne ? 'this receiver and its events' : 'these receivers and their events';
}
