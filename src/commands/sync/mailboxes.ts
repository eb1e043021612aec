import type { Client } from '../../client/index.ts';
import type { Extension } from '../../contract/extension.ts';
import { hasMailbox, openDirectory } from '../../features/directory/index.ts';
import { ownMailbox, type OpenSync } from '../../features/mirror/index.ts';
import type { Mailbox } from '../../store/mailbox.ts';
import type { MessageStore } from '../../store/message-store.ts';
import type { Context } from '../../runtime/context.ts';
import { sessionOwner } from '../../runtime/session-owner.ts';
import { lookupError } from '../../errors/command.ts';

/** Returns the function that requests a message sync through the shared client and opens its reply as a stream of bytes. */
export function openSyncOf(api: Client, signal: AbortSignal): OpenSync {
  return async (extensionId, request) =>
    (await api.messages.openSync({ ...request }, extensionId, { signal })).bytes();
}

/**
 * Returns the mailboxes of `--extension`: the user's own mailbox by default, the mailboxes of all extensions for `all`.
 * `store` is undefined if there is no local mailbox copy yet.
 */
export async function namedMailboxes(
  ctx: Pick<Context, 'signal' | 'now' | 'sender'>,
  api: Client,
  store: Pick<MessageStore, 'ownMailbox'> | undefined,
  names: readonly string[],
): Promise<readonly Mailbox[]> {
  const own = (): Promise<Mailbox> =>
    ownMailbox(store, openSyncOf(api, ctx.signal), { now: ctx.now(), owner: sessionOwner(ctx, api) });
  if (names.length === 0) return [await own()];
  const directory = openDirectory(api, ctx.signal);
  if (names.includes('all')) {
    const everyone = (await directory.all()).filter(hasMailbox);
    return everyone.map(toMailbox);
  }
  const found = new Map<string, Mailbox>();
  for (const name of names) {
    const mailbox = name === '~' ? await own() : await named(directory, name);
    found.set(mailbox.extensionId, mailbox);
  }
  return [...found.values()];
}

async function named(directory: ReturnType<typeof openDirectory>, name: string): Promise<Mailbox> {
  const lookup = await directory.extension(name);
  if (!lookup.found) throw lookupError(lookup);
  return toMailbox(lookup.found);
}

function toMailbox({ id, extensionNumber, name }: Extension): Mailbox {
  return { extensionId: String(id), extensionNumber, name, own: false };
}
