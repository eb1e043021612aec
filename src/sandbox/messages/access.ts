import { isAdministrator, readableExtension } from '../request/access.ts';
import { type Authorized, extensionOf } from '../request/call.ts';
import { messageError, notFound, userNotAllowed } from '../request/errors.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { MessageRow } from './store.ts';
import type { World } from '../world/world.ts';

/**
 * Returns the mailbox of the path, if the signed-in user may read its messages: as for any data of an extension, and the
 * mailboxes of the user's queues if lists and syncs return their messages (CURRENT-17).
 * @throws {ServiceError} CMN-419 otherwise.
 */
export function readableMailbox(call: Authorized): ExtensionRow {
  const { caller, world } = call;
  const extension = extensionOf(call);
  const isShared =
    world.dialect.syncOwner !== undefined && world.departments.of(caller.extension.id).includes(extension.id);
  return isShared ? extension : readableExtension(call);
}

/**
 * Returns the mailbox of the path, if the signed-in user may change it. Users may change their own mailbox;
 * administrators may change all mailboxes.
 * @throws {ServiceError} CMN-408 otherwise.
 */
export function writableMailbox(call: Authorized): ExtensionRow {
  const extension = extensionOf(call);
  const { caller } = call;
  if (extension.id === caller.extension.id || isAdministrator(caller.extension)) return extension;
  throw userNotAllowed('CMN-408', 'Changing the mailbox of another extension requires extended scope');
}

/**
 * Returns a message of a mailbox with one of these availabilities. @throws {ServiceError} 404 CMN-102 for any other
 * message, MSG-326 for a pager thread that the owner of the mailbox has left.
 */
export function messageOf(
  world: World,
  mailbox: ExtensionRow,
  id: number,
  availability: readonly string[],
): MessageRow {
  const row = world.messages.byId(id);
  if (row?.extensionId !== mailbox.id || !availability.includes(row.availability))
    throw notFound('messageId');
  const thread = row.type === 'Pager' ? row.conversationId : null;
  if (thread !== null && !world.pagerThreads.includes(thread, mailbox.id)) {
    throw messageError(403, 'MSG-326', 'The extension is no longer a participant of the thread', 'messageId');
  }
  return row;
}
