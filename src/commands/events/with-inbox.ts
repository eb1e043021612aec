import { openInbox, type Inbox, type StoredEvent } from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { notFoundError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

/**
 * Opens the inbox of the profile and the service, runs `work`, and closes the inbox. `claim` is set for work that adds
 * events.
 */
export async function withInbox<T>(
  ctx: Context,
  work: (inbox: Inbox) => Promise<T>,
  { claim = false }: { readonly claim?: boolean } = {},
): Promise<T> {
  const inbox = openInbox(ctx, claim);
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
