import type { ExtensionRow } from '../directory/extension-store.ts';
import { makeAssertion } from '../oauth/assertion.ts';
import { deleteUser, disableUser, enableUser, lastingRole } from '../directory/user-lifecycle.ts';
import type { World } from '../world/world.ts';
import { ControlError, missing } from './control-error.ts';

/** An extension by its number, id or e-mail address. @throws {ControlError} 404. */
export function findExtension(world: World, who: string): ExtensionRow {
  const account = world.accounts.first();
  const byNumber = world.extensions.byNumber(account.id, who);
  const found = byNumber ?? world.extensions.byEmail(who) ?? world.extensions.byId(Number(who));
  return found ?? missing(`extension ${who}`);
}

/** Changes a password, which ends all sessions of the user at once (OAUTH-47). */
export function setPassword(world: World, who: string, password: string) {
  const user = findExtension(world, who);
  return world.inTransaction(() => {
    world.extensions.setPassword(user.id, password);
    return { extensionId: String(user.id), endedSessions: endSessions(world, user.id) };
  });
}

/** Ends the session of a token, or all of a user. */
export function revokeTokens(world: World, which: { token?: string | undefined; user?: string | undefined }) {
  if (which.token !== undefined) {
    const token = world.sessions.find(which.token) ?? missing('such token');
    world.inTransaction(() => world.sessions.end(token.id));
    return { endedSessions: 1 };
  }
  if (which.user === undefined) throw new ControlError(400, 'bad_input', 'token or user is needed');
  const user = findExtension(world, which.user);
  return { endedSessions: world.inTransaction(() => endSessions(world, user.id)) };
}

/** Disables or enables a user. @throws {ControlError} 404; 409 for a user that the account needs or that has this status already. */
export function setStatus(world: World, who: string, action: 'disable' | 'enable') {
  const user = findExtension(world, who);
  const status = action === 'disable' ? 'Disabled' : 'Enabled';
  if (action === 'disable') refuseLasting(world, who, user, 'disabled');
  if (user.status === status) throw conflict(`extension ${who} is already ${status}`);
  const extensionId = String(user.id);
  return world.inTransaction(() => {
    if (action === 'disable') return { extensionId, status, ...disableUser(world, user) };
    enableUser(world, user);
    return { extensionId, status };
  });
}

/** Deletes a user. @throws {ControlError} 404; 409 for one that the account needs. */
export function removeUser(world: World, who: string) {
  const user = findExtension(world, who);
  refuseLasting(world, who, user, 'deleted');
  const extensionId = String(user.id);
  return world.inTransaction(() => ({ extensionId, status: 'Deleted', ...deleteUser(world, user) }));
}

/** Seconds in which an assertion can be used. */
const assertionSeconds = 300;

/** A signed assertion, with which a client signs in as this user. @throws {ControlError} 404; 409 for who cannot sign in. */
export function assertionFor(world: World, who: string) {
  const user = findExtension(world, who);
  if (user.password === null) throw conflict(`extension ${who} cannot sign in: it has no password`);
  const exp = Math.floor(world.clock.now() / 1000) + assertionSeconds;
  const extensionId = String(user.id);
  const assertion = makeAssertion(world, { sub: extensionId, exp });
  return { assertion, extensionId, expiresAt: world.clock.iso(exp * 1000) };
}

function refuseLasting(world: World, who: string, user: ExtensionRow, done: string): void {
  const role = lastingRole(world, user);
  if (role !== undefined) throw conflict(`extension ${who} cannot be ${done}: it is ${role}`);
}

function conflict(message: string): ControlError {
  return new ControlError(409, 'conflict', message);
}

function endSessions(world: World, extensionId: number): number {
  const sessions = world.sessions.all().filter((session) => session.extensionId === extensionId);
  for (const { id } of sessions) world.sessions.end(id);
  return sessions.length;
}
