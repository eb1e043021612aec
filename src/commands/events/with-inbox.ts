import { openInbox, type Inbox, type InboxUse, type StoredEvent } from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { notFoundError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

/** Opens the inbox of the profile and the service, as `openInbox`, runs `work`, and closes the inbox. */
export async function withInbox<T>(
  ctx: Context,
  use: InboxUse,
  work: (inbox: Inbox) => Promise<T>,
): Promise<T> {
  const inbox = openInbox(ctx, use);
  try {
    return await work(inbox);
  } finally {
    inbox.close();
  }
}

/** Returns the event with this ID or UUID, or the newest event for `last`. @throws {CommandError} exit 3. */
export function findEvent(inbox: Inbox, name: string): StoredEvent {
  const id = name === 'last' ? inbox.last() : name;
  const found = inbox.byId(/^\d+$/.test(String(id)) ? Number(id) : id)[0];
  if (found) return found;
  throw notFoundError(
    `stored event "${name}" not found`,
    nextStep`to list the stored events: ${ucctl('events list')}`,
  );
}
