import type { ExtensionRow } from '../directory/extension-store.ts';
import { makeAssertion } from '../oauth/assertion.ts';
import { setPassword } from '../oauth/set-password.ts';
import { deleteUser, disableUser, enableUser, requiredRole } from '../directory/user-lifecycle.ts';
import type { World } from '../world/world.ts';
import { ControlError, controlNotFound } from './control-error.ts';

/** Returns an extension by its number, ID or e-mail address. @throws {ControlError} 404. */
export function findExtension(world: World, who: string): ExtensionRow {
  const account = world.accounts.first();
  const byNumber = world.extensions.byNumber(account.id, who);
  const found = byNumber ?? world.extensions.byEmail(who) ?? world.extensions.byId(Number(who));
  return found ?? controlNotFound(`extension ${who}`);
}

/**
 * Changes a password, which immediately ends all sessions of the user. @throws {ControlError} 404; 409 for an extension
 * that cannot sign in.
 */
export function changePassword(world: World, who: string, password: string) {
  const user = findUser(world, who);
  const endedSessions = world.inTransaction(() => setPassword(world, user.id, password));
  return { extensionId: String(user.id), endedSessions };
}

/** Revokes the session of a token, or all sessions of a user. */
export function revokeTokens(world: World, which: { token?: string | undefined; user?: string | undefined }) {
  if (which.token !== undefined) {
    const token = world.sessions.find(which.token) ?? controlNotFound('token');
    world.inTransaction(() => world.sessions.end(token.id));
    return { endedSessions: 1 };
  }
  if (which.user === undefined) throw new ControlError(400, 'bad_input', 'a token or a user is required');
  const user = findExtension(world, which.user);
  return { endedSessions: world.inTransaction(() => world.sessions.endAll(user.id)) };
}

/**
 * Disables or enables a user. @throws {ControlError} 404; 409 for a user that the account requires or that already has
 * this status.
 */
export function setStatus(world: World, who: string, action: 'disable' | 'enable') {
  const user = findExtension(world, who);
  const status = action === 'disable' ? 'Disabled' : 'Enabled';
  if (action === 'disable') requireRemovable(world, who, user, 'disabled');
  if (user.status === status) throw conflict(`extension ${who} is already ${status}`);
  const extensionId = String(user.id);
  return world.inTransaction(() => {
    if (action === 'disable') return { extensionId, status, ...disableUser(world, user) };
    enableUser(world, user);
    return { extensionId, status };
  });
}

/** Deletes a user. @throws {ControlError} 404; 409 for a user that the account requires. */
export function removeUser(world: World, who: string) {
  const user = findExtension(world, who);
  requireRemovable(world, who, user, 'deleted');
  const extensionId = String(user.id);
  return world.inTransaction(() => ({ extensionId, status: 'Deleted', ...deleteUser(world, user) }));
}

/** Seconds for which an assertion is valid. */
const assertionSeconds = 300;

/**
 * Returns a signed assertion with which a client signs in as this user. @throws {ControlError} 404; 409 for a user
 * without a password.
 */
export function assertionFor(world: World, who: string) {
  const user = findUser(world, who);
  const exp = Math.floor(world.clock.now() / 1000) + assertionSeconds;
  const extensionId = String(user.id);
  const assertion = makeAssertion(world, { sub: extensionId, exp });
  return { assertion, extensionId, expiresAt: world.clock.iso(exp * 1000) };
}

/** Returns an extension that can sign in. @throws {ControlError} 404; 409 for one without a password. */
function findUser(world: World, who: string): ExtensionRow {
  const user = findExtension(world, who);
  if (user.password === null) throw conflict(`extension ${who} cannot sign in, because it has no password`);
  return user;
}

function requireRemovable(world: World, who: string, user: ExtensionRow, change: string): void {
  const role = requiredRole(world, user);
  if (role !== undefined) throw conflict(`extension ${who} cannot be ${change}, because it is ${role}`);
}

function conflict(message: string): ControlError {
  return new ControlError(409, 'conflict', message);
}
