import {
  consumersOf,
  longWaitText,
  openEventStore,
  PostgresEventLog,
  shownEvent,
  startRedelivery,
  targetNamed,
  textOf,
  type Delivery,
  type Inbox,
  type Redelivery,
} from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import { counted } from '../../platform/counted.ts';
import { CommandError, Exit, messageOf, notFoundError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { requireDelivered } from './require-delivered.ts';
import { deadLetterRows, type DeadLetterRow } from './delivery.rows.ts';
import { withInbox } from './with-inbox.ts';
import { maskUserInfoIn } from '../../platform/user-info.ts';

export interface EventsDlqOptions {
  readonly ids: readonly string[];
  readonly consumer?: string;
  readonly redeliver?: boolean;
  readonly drop?: boolean;
}

/** `events dlq [ID...]`: lists dead letters, redelivers them, or deletes them. */
export async function deadLetters(ctx: Context, options: EventsDlqOptions): Promise<void> {
  const { consumer } = options;
  if (consumer !== undefined) return deadOfConsumer(ctx, consumer, options);
  await withInbox(ctx, { onlyReads: !options.redeliver && !options.drop }, async (inbox) => {
    if (options.redeliver) return redeliver(ctx, inbox, options.ids);
    const dead = chosen(inbox, options.ids);
    if (options.drop) await confirmDrop(ctx, dead.length);
    const rows = dead.map((delivery): DeadLetterRow => {
      const { id, eventId, target, attempts, problem } = delivery;
      if (options.drop) inbox.deliveries.remove(id);
      return {
        id,
        eventId,
        target: maskUserInfoIn(target),
        attempts,
        problem,
        status: options.drop ? 'dropped' : 'dead',
      };
    });
    await ctx.out.list(rows, deadLetterRows.list);
  });
}

async function confirmDrop(ctx: Context, count: number): Promise<void> {
  if (count === 0) return;
  const what = count === 1 ? 'this dead letter' : counted(count, 'dead letter');
  await requireConfirmation(ctx, `Delete ${what} permanently?`, 'nothing was deleted');
}

async function redeliver(ctx: Context, inbox: Inbox, ids: readonly string[]): Promise<void> {
  const rows: DeadLetterRow[] = [];
  const redelivery = requireRedelivery(ctx, inbox);
  try {
    for (const delivery of chosen(inbox, ids))
      rows.push(await redelivery.inLane(delivery, ctx.signal, () => redeliverOne(ctx, inbox, delivery)));
  } catch (error) {
    // The dead letters before the interruption were redelivered.
    if (rows.length > 0) await ctx.out.list(rows, deadLetterRows.list);
    throw error;
  } finally {
    redelivery.release();
  }
  await ctx.out.list(rows, deadLetterRows.list);
  const failed = rows.filter(({ status }) => status === 'dead').length;
  requireDelivered(
    rows.length,
    failed,
    'see the rows with status dead; check the target, and redeliver the events again',
  );
}

/** Two processes would deliver the same dead letters. @throws {CommandError} `busy`. */
function requireRedelivery(ctx: Context, inbox: Inbox): Redelivery {
  const redelivery = startRedelivery(inbox, (wait) => ctx.out.note(longWaitText(wait)));
  if (redelivery) return redelivery;
  throw new CommandError('busy', Exit.conflict, 'another process is redelivering dead letters', {
    hint: nextStep`wait until that process ends; list the remaining dead letters: ${ucctl('events dlq')}`,
    retryable: true,
  });
}

function statusAfter({ drop, redeliver }: Omit<EventsDlqOptions, 'ids'>): DeadLetterRow['status'] {
  if (drop) return 'dropped';
  return redeliver ? 'due' : 'dead';
}

/** The same for a consumer of a store, whose processes deliver the events again. */
async function deadOfConsumer(
  ctx: Context,
  consumer: string,
  { ids, ...change }: EventsDlqOptions,
): Promise<void> {
  const log = new PostgresEventLog(await openEventStore(ctx));
  await consumersOf(log, [consumer]);
  const dead = await log.deadEvents(consumer);
  const unknown = ids.find((id) => !dead.some((one) => String(one.id) === id));
  if (unknown !== undefined)
    throw notFoundError(
      `dead letter "${unknown}" of consumer ${consumer} not found`,
      nextStep`to list all dead letters: ${ucctl`events dlq --consumer ${consumer}`}`,
    );
  const chosenIds = new Set(ids.map(Number));
  const only = ids.length === 0 ? dead : dead.filter(({ id }) => chosenIds.has(id));
  const affected = only.map(({ id }) => id);
  if (change.drop) {
    await confirmDrop(ctx, affected.length);
    await log.dropDead(consumer, affected);
  }
  if (change.redeliver) await log.retryDead(consumer, affected);
  const status = statusAfter(change);
  const rows = only.map(({ id, attempts, problem }): DeadLetterRow => ({
    id,
    eventId: id,
    target: consumer,
    attempts,
    problem,
    status,
  }));
  await ctx.out.list(rows, deadLetterRows.list);
}

function chosen({ deliveries }: Inbox, ids: readonly string[]): readonly Delivery[] {
  const dead = deliveries.in('dead');
  const unknown = ids.find((id) => !dead.some((one) => String(one.id) === id));
  if (unknown !== undefined)
    throw notFoundError(
      `dead letter "${unknown}" not found`,
      nextStep`to list all dead letters: ${ucctl('events dlq')}`,
    );
  return ids.length === 0 ? dead : dead.filter(({ id }) => ids.includes(String(id)));
}

/** Makes one attempt and stores its result. */
async function redeliverOne(ctx: Context, inbox: Inbox, delivery: Delivery): Promise<DeadLetterRow> {
  const { id, eventId, target } = delivery;
  const problem = await send(ctx, inbox, delivery);
  const attempts = delivery.attempts + 1;
  const isDelivered = problem === undefined;
  inbox.deliveries.save({
    ...delivery,
    attempts,
    problem: problem ?? null,
    state: isDelivered ? 'done' : 'dead',
  });
  return {
    id,
    eventId,
    target: maskUserInfoIn(target),
    attempts,
    problem: problem ?? null,
    status: isDelivered ? 'delivered' : 'dead',
  };
}

/** Delivers the event once. Returns the problem, or undefined after a success. */
async function send(ctx: Context, inbox: Inbox, { eventId, target }: Delivery): Promise<string | undefined> {
  const [stored] = inbox.byId(eventId);
  if (!stored) return 'the event is no longer stored';
  try {
    const event = shownEvent(stored);
    await (
      await targetNamed(ctx, target)
    ).send({ ...event, key: stored.key }, textOf(event, stored), ctx.signal);
    return undefined;
  } catch (error) {
    ctx.signal.throwIfAborted();
    return messageOf(error);
  }
}
