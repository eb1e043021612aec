import { Inbox, type StoredEvent } from '../../features/inbox/index.ts';
import type { Context } from '../../runtime/context.ts';
import { notFoundError } from '../../runtime/errors.ts';

/** Works with the profile's inbox and closes it. */
export async function withInbox<T>(ctx: Context, work: (inbox: Inbox) => Promise<T>): Promise<T> {
  const inbox = Inbox.open(ctx.paths.state, ctx.settings.profile.value, () => ctx.now());
  try {
    return await work(inbox);
  } finally {
    inbox.close();
  }
}

/** The event with this id of the inbox, or this uuid, or the `last` one. @throws {CommandError} exit 3. */
export function findEvent(inbox: Inbox, name: string): StoredEvent {
  const id = name === 'last' ? inbox.last() : name;
  const found = inbox.byId(/^\d+$/.test(String(id)) ? Number(id) : id)[0];
  if (found) return found;
  throw notFoundError(`there is no event "${name}" in this inbox`, 'list them: ucctl events list');
}
