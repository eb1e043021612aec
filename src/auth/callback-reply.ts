import { createHash, timingSafeEqual } from 'node:crypto';

/** Parameters that arrived at the redirect URI. */
export type CallbackReply =
  | {
      readonly kind: 'code';
      readonly code: string;
      /** Remaining lifetime of the code; undefined if the service did not report it. */
      readonly expiresInSeconds: number | undefined;
    }
  | { readonly kind: 'denied'; readonly error: string; readonly description: string | undefined }
  /**
   * A request that is not the reply to this sign-in, because it is unexpected or hostile. `reason` is a text for
   * people.
   */
  | { readonly kind: 'foreign'; readonly reason: string };

/**
 * Reads the parameters of a redirect (OAUTH-13, OAUTH-14). An error counts only if it has the `state` of this sign-in.
 */
export function readCallback(parameters: URLSearchParams, state: string): CallbackReply {
  for (const name of ['code', 'state', 'error']) {
    if (parameters.getAll(name).length > 1)
      return { kind: 'foreign', reason: `the "${name}" parameter is present twice` };
  }
  if (!sameText(parameters.get('state') ?? '', state)) {
    return { kind: 'foreign', reason: 'the "state" parameter belongs to another sign-in' };
  }
  const error = parameters.get('error');
  if (error) return { kind: 'denied', error, description: parameters.get('error_description') ?? undefined };
  const code = parameters.get('code');
  if (!code) return { kind: 'foreign', reason: 'the "code" parameter is missing' };
  return { kind: 'code', code, expiresInSeconds: lifetime(parameters.get('expires_in')) };
}

function lifetime(text: string | null): number | undefined {
  const seconds = text !== null && /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return seconds > 0 ? seconds : undefined;
}

/** Compares in constant time. */
function sameText(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
