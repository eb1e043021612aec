import { shownEvent, targetNamed, textOf, type Delivery, type Inbox } from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, messageOf, notFoundError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { deadLetterRows, type DeadLetterRow } from './delivery.rows.ts';
import { withInbox } from './with-inbox.ts';

export interface EventsDlqOptions {
  readonly ids: readonly string[];
  readonly redeliver?: boolean;
  readonly drop?: boolean;
}

/** `events dlq [ID...]`: lists dead letters, delivers them once more, or deletes them. */
export async function deadLetters(ctx: Context, options: EventsDlqOptions): Promise<void> {
  await withInbox(ctx, async (inbox) => {
    const rows: DeadLetterRow[] = [];
    for (const delivery of chosen(inbox, options.ids))
      rows.push(await process(ctx, inbox, delivery, options));
    await ctx.out.list(rows, deadLetterRows.list);
    const failed = rows.filter(({ status }) => status === 'dead').length;
    if (!options.redeliver || failed === 0) return;
    const exit = failed === rows.length ? Exit.failed : Exit.partial;
    throw new CommandError('not_delivered', exit, `${failed} of ${rows.length} events were not delivered`);
  });
}

function chosen({ deliveries }: Inbox, ids: readonly string[]): readonly Delivery[] {
  const dead = deliveries.in('dead');
  const unknown = ids.find((id) => !dead.some((one) => String(one.id) === id));
  if (unknown !== undefined)
    throw notFoundError(
      `dead letter "${unknown}" not found`,
      nextStep`list all dead letters: ${ucctl('events dlq')}`,
    );
  return ids.length === 0 ? dead : dead.filter(({ id }) => ids.includes(String(id)));
}

async function process(
  ctx: Context,
  inbox: Inbox,
  delivery: Delivery,
  { redeliver, drop }: EventsDlqOptions,
): Promise<DeadLetterRow> {
  const { deliveries } = inbox;
  const { id, eventId, target, attempts } = delivery;
  const row = { id, eventId, target, attempts, problem: delivery.problem };
  if (drop) {
    deliveries.remove(id);
    return { ...row, status: 'dropped' };
  }
  if (!redeliver) return { ...row, status: 'dead' };
  const problem = await send(ctx, inbox, delivery);
  const tried = { ...delivery, attempts: attempts + 1, problem: problem ?? null };
  deliveries.save({ ...tried, state: problem === undefined ? 'done' : 'dead' });
  return {
    ...row,
    attempts: tried.attempts,
    problem: tried.problem,
    status: problem === undefined ? 'delivered' : 'dead',
  };
}

/** Delivers the event once. Returns the problem, undefined after success. */
async function send(ctx: Context, inbox: Inbox, { eventId, target }: Delivery): Promise<string | undefined> {
  const [stored] = inbox.byId(eventId);
  if (!stored) return 'the event is no longer stored';
  try {
    const event = shownEvent(stored);
    await (await targetNamed(ctx, target)).send(event, textOf(event, stored), ctx.signal);
    return undefined;
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    return messageOf(error);
  }
}
