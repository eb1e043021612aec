import {
  compileEdit,
  replayedEvent,
  shownEvent,
  targetsOf,
  textOf,
  type StoredEvent,
  type Target,
} from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { requireDelivered } from './require-delivered.ts';
import { usageError } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';
import { replayRows, type ReplayRow } from './delivery.rows.ts';
import { findEvent, withInbox } from './with-inbox.ts';
import { maskUserInfoIn } from '../../platform/user-info.ts';

export interface EventsReplayOptions {
  readonly ids: readonly string[];
  readonly forwardTo?: string;
  readonly exec?: string;
  readonly edit?: string;
}

/** `events replay ID...`: resends each stored event once, in the given order. */
export async function replayEvents(ctx: Context, options: EventsReplayOptions): Promise<void> {
  const { forwardTo, exec } = options;
  if ((forwardTo === undefined) === (exec === undefined))
    throw usageError(
      'events replay needs exactly one of --forward-to URL and --exec COMMAND',
      ucctl('events replay --help'),
    );
  const edit = options.edit === undefined ? (text: string) => text : await compileEdit(options.edit);
  const [target] = await targetsOf(ctx, forwardTo === undefined ? [] : [forwardTo], exec);
  await withInbox(ctx, { onlyReads: true }, async (inbox) => {
    const events = options.ids.map((id) => findEvent(inbox, id));
    // Edits all events before the first event is sent: a usage error means that nothing was sent.
    const texts = events.map((stored) => ({ stored, text: edit(textOf(shownEvent(stored), stored)) }));
    const rows: ReplayRow[] = [];
    for (const { stored, text } of texts) {
      if (target) rows.push({ id: stored.id, ...(await replay(target, stored, text, ctx.signal)) });
    }
    await ctx.out.list(rows, replayRows.list);
    const failed = rows.filter(({ status }) => status === 'failed').length;
    requireDelivered(
      rows.length,
      failed,
      'see the rows with status failed; check the target, and run the command again',
    );
  });
}

async function replay(
  target: Target,
  stored: StoredEvent,
  text: string,
  signal: AbortSignal,
): Promise<Omit<ReplayRow, 'id'>> {
  const event = replayedEvent(stored, text);
  const { uuid = '' } = event ?? {};
  const shown = maskUserInfoIn(target.name);
  try {
    if (!event)
      return {
        uuid,
        target: shown,
        status: 'failed',
        problem: 'the stored event is not a valid notification',
      };
    await target.send(event, text, signal);
    return { uuid, target: shown, status: 'delivered', problem: null };
  } catch (error) {
    if (signal.aborted) throw error;
    return {
      uuid,
      target: shown,
      status: 'failed',
      problem: error instanceof Error ? error.message : '',
    };
  }
}
