import type { TokenReply } from '../contract/oauth.ts';
import type { AppSession, Flow, SessionFault, SessionUser } from '../runtime/auth.ts';

/** A stored session. Times are milliseconds since 1970 by the clock of this machine. */
export interface SessionRecord {
  readonly version: 1;
  /** The origin of the service. The tokens are sent to no other origin. */
  readonly origin: string;
  readonly clientId: string;
  /** The client secret; undefined for a public app. */
  readonly clientSecret?: string | undefined;
  readonly flow: Flow;
  /** User name as the user entered it, for the password flow. */
  readonly username?: string | undefined;
  readonly extension?: string | undefined;
  /** Kind of a client-credentials session, which belongs to the application and not to a user. */
  readonly appSession?: AppSession | undefined;
  /** Account of a client-credentials session for one account, as named at sign-in. */
  readonly account?: string | undefined;
  /** The extension that the session belongs to, as reported in the token reply. */
  readonly ownerId?: string | undefined;
  /** Name and extension number of the user at the time of the sign-in, if they could be read. */
  readonly user?: SessionUser | undefined;
  readonly endpointId?: string | undefined;
  /** Permissions; the reply of the password flow has none. */
  readonly scope?: string | undefined;
  readonly accessToken: string;
  readonly expiresAt: number;
  readonly refreshToken?: string | undefined;
  readonly refreshExpiresAt?: number | undefined;
  readonly signedInAt: number;
  /** Time of the last renewal; missing before the first one. */
  readonly renewedAt?: number | undefined;
  /** Lifetimes in seconds that were requested at sign-in, and are requested at each renewal. */
  readonly accessTtlSeconds?: number | undefined;
  readonly refreshTtlSeconds?: number | undefined;
  /** Incremented by each renewal. */
  readonly generation: number;
}

/** Returns the part of a session that a token reply contains; `receivedAt` is the time of the reply. */
export function readTokenReply(
  reply: TokenReply,
  receivedAt: number,
): Pick<SessionRecord, 'accessToken' | 'expiresAt'> & Partial<SessionRecord> {
  const { refresh_token: refreshToken, refresh_token_expires_in: refreshSeconds } = reply;
  return {
    accessToken: reply.access_token,
    expiresAt: receivedAt + reply.expires_in * 1000,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(refreshSeconds !== undefined && { refreshExpiresAt: receivedAt + refreshSeconds * 1000 }),
    ...(reply.scope !== undefined && { scope: reply.scope }),
    ...(reply.owner_id !== undefined && { ownerId: reply.owner_id }),
    ...(reply.endpoint_id !== undefined && { endpointId: reply.endpoint_id }),
  };
}

/**
 * Returns whether two sessions certainly belong to the same user or account, and to the same application. A session that
 * an older version stored may lack the owner. Then the sessions must have the same sign-in or the same user name.
 */
export function isSameOwner(one: SessionRecord, other: SessionRecord): boolean {
  const isSame = (...names: readonly (keyof SessionRecord)[]): boolean =>
    names.every((name) => one[name] === other[name]);
  if (!isSame('origin', 'clientId', 'appSession', 'account')) return false;
  if (one.ownerId !== undefined && other.ownerId !== undefined) return isSame('ownerId');
  if (isSame('signedInAt') || one.appSession !== undefined) return true;
  return one.username !== undefined && isSame('username', 'extension');
}

/** Parses a stored session; returns the fault if it cannot be used. */
export function parseSession(text: string): SessionRecord | SessionFault {
  try {
    const value = JSON.parse(text) as Partial<SessionRecord> | null;
    if (typeof value?.version === 'number' && value.version !== 1) return 'other-version';
    const complete =
      value?.version === 1 &&
      typeof value.origin === 'string' &&
      typeof value.accessToken === 'string' &&
      typeof value.expiresAt === 'number';
    return complete ? (value as SessionRecord) : 'damaged';
  } catch {
    return 'damaged';
  }
}
