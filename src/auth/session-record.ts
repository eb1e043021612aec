import type { TokenReply } from '../contract/oauth.ts';
import type { AppSession, Flow, SessionFault } from '../runtime/auth.ts';

/** A session as the token store keeps it. Times are milliseconds since 1970 by this machine's clock. */
export interface SessionRecord {
  readonly version: 1;
  /** The tokens are sent to this origin only. */
  readonly origin: string;
  readonly clientId: string;
  /** Undefined for a public app. */
  readonly clientSecret?: string | undefined;
  readonly flow: Flow;
  /** As typed, for the password flow. */
  readonly username?: string | undefined;
  readonly extension?: string | undefined;
  /** Of a client-credentials sign-in: it stands for the application, not for a user. */
  readonly appSession?: AppSession | undefined;
  /** The one account that an account-centric session works for, as it was named at sign-in. */
  readonly account?: string | undefined;
  /** From the token reply: the extension that the session belongs to. */
  readonly ownerId?: string | undefined;
  readonly endpointId?: string | undefined;
  /** Permissions; the password flow's reply has none. */
  readonly scope?: string | undefined;
  readonly accessToken: string;
  readonly expiresAt: number;
  readonly refreshToken?: string | undefined;
  readonly refreshExpiresAt?: number | undefined;
  readonly signedInAt: number;
  /** When the last renewal's reply came; absent before the first. */
  readonly renewedAt?: number | undefined;
  /** Seconds that were asked for at sign-in, asked for again at each renewal. */
  readonly accessTtlSeconds?: number | undefined;
  readonly refreshTtlSeconds?: number | undefined;
  /** Grows with each renewal. */
  readonly generation: number;
}

/** What a token reply gives; `receivedAt` is when it came. */
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

/** The session in a text, or why it holds none that can be used. */
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
