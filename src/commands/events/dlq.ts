import { shownEvent, targetNamed, textOf, type Delivery, type Inbox } from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, messageOf, notFoundError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { View } from '../../runtime/output.ts';
import { withInbox } from './with-inbox.ts';

export interface EventsDlqOptions {
  readonly ids: readonly string[];
  readonly again?: boolean;
  readonly drop?: boolean;
}

type DeadLetter = Pick<Delivery, 'id' | 'eventId' | 'target' | 'attempts' | 'problem'> & {
  readonly status: 'dead' | 'taken' | 'dropped';
};

const view: View<DeadLetter> = {
  columns: [
    { key: 'id', title: 'ID', kind: 'id', value: (row) => row.id, priority: 4 },
    { key: 'eventId', title: 'EVENT', kind: 'id', value: (row) => row.eventId, priority: 3 },
    { key: 'target', title: 'TARGET', kind: 'text', value: (row) => row.target, priority: 3 },
    { key: 'attempts', title: 'TRIES', kind: 'number', value: (row) => row.attempts, priority: 1 },
    { key: 'problem', title: 'PROBLEM', kind: 'text', value: (row) => row.problem, priority: 2, folds: true },
    { key: 'status', title: 'STATUS', kind: 'status', value: (row) => row.status, priority: 4 },
  ],
  empty: 'No dead letters.',
};

/** `events dlq [ID...]`: lists dead letters, or hands them over again, or forgets them. */
export async function deadLetters(ctx: Context, options: EventsDlqOptions): Promise<void> {
  await withInbox(ctx, async (inbox) => {
    const rows: DeadLetter[] = [];
    for (const delivery of chosen(inbox, options.ids)) rows.push(await settle(ctx, inbox, delivery, options));
    await ctx.out.list(rows, view);
    const left = rows.filter(({ status }) => status === 'dead').length;
    if (!options.again || left === 0) return;
    const exit = left === rows.length ? Exit.failed : Exit.partial;
    throw new CommandError('not_taken', exit, `${left} of ${rows.length} were not taken`);
  });
}

function chosen({ deliveries }: Inbox, ids: readonly string[]): readonly Delivery[] {
  const dead = deliveries.in('dead');
  const unknown = ids.find((id) => !dead.some((one) => String(one.id) === id));
  if (unknown !== undefined)
    throw notFoundError(`there is no dead letter "${unknown}"`, nextStep`list them: ${ucctl('events dlq')}`);
  return ids.length === 0 ? dead : dead.filter(({ id }) => ids.includes(String(id)));
}

async function settle(
  ctx: Context,
  inbox: Inbox,
  delivery: Delivery,
  { again, drop }: EventsDlqOptions,
): Promise<DeadLetter> {
  const { deliveries } = inbox;
  const { id, eventId, target, attempts } = delivery;
  const row = { id, eventId, target, attempts, problem: delivery.problem };
  if (drop) {
    deliveries.remove(id);
    return { ...row, status: 'dropped' };
  }
  if (!again) return { ...row, status: 'dead' };
  const problem = await send(ctx, inbox, delivery);
  const tried = { ...delivery, attempts: attempts + 1, problem: problem ?? null };
  deliveries.save({ ...tried, state: problem === undefined ? 'done' : 'dead' });
  return {
    ...row,
    attempts: tried.attempts,
    problem: tried.problem,
    status: problem === undefined ? 'taken' : 'dead',
  };
}

/** Why it was not taken. */
async function send(ctx: Context, inbox: Inbox, { eventId, target }: Delivery): Promise<string | undefined> {
  const [stored] = inbox.byId(eventId);
  if (!stored) return 'the event is gone';
  try {
    const event = shownEvent(stored);
    await (await targetNamed(ctx, target)).send(event, textOf(event, stored), ctx.signal);
    return undefined;
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    return messageOf(error);
  }
}
