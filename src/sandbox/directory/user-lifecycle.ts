import { fail, hangUp } from '../calls/engine.ts';
import { extensionsChanged } from './events.ts';
import { presenceChanged } from '../presence/events.ts';
import { hasPresence } from '../presence/view.ts';
import { endSessionsOf } from '../sockets/session-end.ts';
import { endSubscription } from '../subscriptions/rules.ts';
import type { ExtensionRow, StatusInfo } from './extension-store.ts';
import type { World } from '../world/world.ts';

/** Returns the reason why a user cannot be disabled or deleted; undefined if the change is possible. */
export function requiredRole(world: World, { id, accountId, type }: ExtensionRow): string | undefined {
  const account = world.accounts.byId(accountId);
  if (type === 'Department') return 'a call queue, not a user';
  if (account?.administratorId === id) return "the account's main administrator";
  return account?.operatorId === id ? "the account's operator" : undefined;
}

interface Ended {
  readonly endedSessions: number;
  readonly endedSubscriptions: number;
}

/**
 * Disables a user. Sessions, subscriptions and calls of the user end, and the presence becomes Offline. Mailbox,
 * numbers and queue memberships are retained (docs/internals/service-gaps.md).
 */
export function disableUser(world: World, user: ExtensionRow): Ended {
  const ended = changeStatus(world, user, 'Disabled', { reason: 'Voluntarily' });
  extensionsChanged(world, user.accountId, [user.id], 'ExtensionInfo');
  return ended;
}

/** Enables a user, who can sign in again with the same password. */
export function enableUser(world: World, user: ExtensionRow): void {
  changeStatus(world, user, 'Enabled');
  extensionsChanged(world, user.accountId, [user.id], 'ExtensionInfo');
}

/**
 * Changes the status of a user with all effects except the extension event, which the caller sends once for all its
 * changes.
 */
export function changeStatus(world: World, user: ExtensionRow, status: string, info: StatusInfo = {}): Ended {
  const isEnabled = status === 'Enabled';
  const ended = isEnabled ? { endedSessions: 0, endedSubscriptions: 0 } : endAll(world, user);
  world.extensions.setStatus(user.id, status, info);
  setOnline(world, user, isEnabled ? 'Available' : 'Offline');
  return ended;
}

/**
 * Deletes a user with mailbox, numbers, presence and queue memberships. The records in the account's call log remain.
 */
export function deleteUser(
  world: World,
  user: ExtensionRow,
): Ended & { readonly queues: readonly string[]; readonly messages: number } {
  const ended = endAll(world, user);
  setOnline(world, user, 'Offline');
  const queues = world.departments.of(user.id);
  const messages = world.messages.all(user.id).length;
  world.messages.removeMailbox(user.id);
  world.extensions.remove(user.id);
  extensionsChanged(world, user.accountId, queues, 'CallQueueMembersChange');
  extensionsChanged(world, user.accountId, [user.id], 'ExtensionInfo', 'Delete');
  return { ...ended, queues: queues.map(String), messages };
}

/** Ends the sessions, subscriptions and calls of a user. */
function endAll(world: World, { id }: ExtensionRow): Ended {
  for (const { callId, position } of world.calls.live(id)) {
    const leg = world.calls.legs(callId)[position];
    // Both legs of a call may belong to the user, and the end of one leg ends the other.
    if (!leg || leg.endedAt !== null) continue;
    // The next agent is called for a queue call that is still ringing.
    if (leg.status === 'InProgress') fail(world, callId, position, 'GenericError');
    else hangUp(world, callId);
  }
  endSessionsOf(world, id);
  const subscriptions = world.subscriptions.all().filter((row) => row.extensionId === id);
  for (const row of subscriptions) endSubscription(world, row);
  const endedSessions = world.sessions.endAll(id);
  world.authorizations.endAll(id);
  return { endedSessions, endedSubscriptions: subscriptions.length };
}

function setOnline(world: World, user: ExtensionRow, userStatus: 'Available' | 'Offline'): void {
  const before = world.presences.of(user.id);
  if (!hasPresence(user) || before.userStatus === userStatus) return;
  world.presences.save({ ...before, userStatus, sequence: before.sequence + 1 });
  presenceChanged(world, user);
}
