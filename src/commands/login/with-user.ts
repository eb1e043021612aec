import type { SessionSummary } from '../../runtime/auth.ts';
import type { Context } from '../../runtime/context.ts';
import { limitTime } from '../../platform/time-limit.ts';

/** Milliseconds after which the sign-in ends without the name. */
const limitMilliseconds = 5000;

/**
 * Reads name and extension number of the signed-in user, which token replies do not contain, and stores them with the
 * session. After a failure, or if the request would have to wait, the session has no name, because the sign-in itself
 * succeeded.
 */
export async function withUser(ctx: Context, signIn: SessionSummary): Promise<SessionSummary> {
  // With UCCTL_TOKEN, the reply would name the user of that token.
  if (signIn.appSession !== undefined || ctx.settings.token.value !== undefined) return signIn;
  const limit = limitTime(ctx.signal, limitMilliseconds);
  const stop = new AbortController();
  try {
    const [api, auth] = await Promise.all([ctx.api(), ctx.auth()]);
    const { name, extensionNumber } = await api.extensions.get('~', {
      signal: AbortSignal.any([limit.signal, stop.signal]),
      onWait: () => stop.abort(),
    });
    // The client returns an empty name if the reply has none.
    const user = { name: name || undefined, extensionNumber: extensionNumber || undefined };
    return await auth.storeUser(signIn, user);
  } catch {
    ctx.signal.throwIfAborted();
    return signIn;
  } finally {
    limit.end();
  }
}
