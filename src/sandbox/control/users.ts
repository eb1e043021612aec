import type { ExtensionRow } from '../store/extensions.ts';
import type { World } from '../world.ts';
import { ControlError, missing } from './control-error.ts';

/** An extension by its number, id or e-mail address. @throws {ControlError} 404. */
export function findExtension(world: World, who: string): ExtensionRow {
  const account = world.accounts.first();
  const byNumber = world.extensions.byNumber(account.id, who);
  const found = byNumber ?? world.extensions.byEmail(who) ?? world.extensions.byId(Number(who));
  return found ?? missing(`extension ${who}`);
}

/** Changes a password, which ends all sessions of the user at once (specification, Authentication). */
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

function endSessions(world: World, extensionId: number): number {
  const sessions = world.sessions.all().filter((session) => session.extensionId === extensionId);
  for (const { id } of sessions) world.sessions.end(id);
  return sessions.length;
}
