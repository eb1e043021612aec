import {
  compileEdit,
  readNotification,
  shownEvent,
  targetsOf,
  textOf,
  type Target,
} from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import type { View } from '../../runtime/output.ts';
import { findEvent, withInbox } from './with-inbox.ts';

export interface EventsReplayOptions {
  readonly ids: readonly string[];
  readonly to?: string;
  readonly exec?: string;
  readonly edit?: string;
}

interface Replayed {
  readonly id: number;
  readonly uuid: string;
  readonly target: string;
  readonly status: 'taken' | 'refused';
  readonly problem: string | null;
}

const view: View<Replayed> = {
  columns: [
    { key: 'id', title: 'ID', kind: 'id', value: (row) => row.id },
    { key: 'uuid', title: 'UUID', kind: 'id', value: (row) => row.uuid },
    { key: 'target', title: 'TARGET', kind: 'text', value: (row) => row.target },
    { key: 'status', title: 'STATUS', kind: 'status', value: (row) => row.status },
    { key: 'problem', title: 'PROBLEM', kind: 'text', value: (row) => row.problem, folds: true },
  ],
};

/** `events replay ID...`: hands stored events over again, in the order given, once each. */
export async function replayEvents(ctx: Context, options: EventsReplayOptions): Promise<void> {
  const { to, exec } = options;
  if ((to === undefined) === (exec === undefined)) throw usageError('give either --to URL or --exec COMMAND');
  const edit = options.edit === undefined ? (text: string) => text : await compileEdit(options.edit);
  const [target] = await targetsOf(ctx, to === undefined ? [] : [to], exec);
  await withInbox(ctx, async (inbox) => {
    const events = options.ids.map((id) => findEvent(inbox, id));
    // All of them before the first is sent: wrong usage means that nothing was.
    const texts = events.map((stored) => ({ id: stored.id, text: edit(textOf(shownEvent(stored), stored)) }));
    const rows: Replayed[] = [];
    for (const { id, text } of texts) {
      if (target) rows.push({ id, ...(await replay(target, text, ctx.signal)) });
    }
    await ctx.out.list(rows, view);
    const refused = rows.filter(({ status }) => status === 'refused').length;
    if (refused === 0) return;
    const exit = refused === rows.length ? Exit.failed : Exit.partial;
    throw new CommandError('not_taken', exit, `${refused} of ${rows.length} were not taken`);
  });
}

async function replay(target: Target, text: string, signal: AbortSignal): Promise<Omit<Replayed, 'id'>> {
  const event = readNotification(text)?.notification;
  const { uuid = '' } = event ?? {};
  try {
    if (!event) return { uuid, target: target.name, status: 'refused', problem: 'no notification' };
    await target.send(event, text, signal);
    return { uuid, target: target.name, status: 'taken', problem: null };
  } catch (error) {
    if (signal.aborted) throw error;
    return {
      uuid,
      target: target.name,
      status: 'refused',
      problem: error instanceof Error ? error.message : '',
    };
  }
}
