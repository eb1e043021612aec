import { createHash, timingSafeEqual } from 'node:crypto';

/** What the service sent to the redirect address. */
export type CallbackReply =
  | {
      readonly kind: 'code';
      readonly code: string;
      /** What is left of the code's life; undefined when the service did not say. */
      readonly expiresInSeconds: number | undefined;
    }
  | { readonly kind: 'denied'; readonly error: string; readonly description: string | undefined }
  /** Not the answer to our question: a stray or a hostile hit. `why` is for a person. */
  | { readonly kind: 'foreign'; readonly why: string };

/** Reads the parameters of a redirect (OAUTH-13, OAUTH-14). An error counts only if it carries our own `state`. */
export function readCallback(parameters: URLSearchParams, state: string): CallbackReply {
  for (const name of ['code', 'state', 'error']) {
    if (parameters.getAll(name).length > 1) return { kind: 'foreign', why: `"${name}" is there twice` };
  }
  if (!sameText(parameters.get('state') ?? '', state)) {
    return { kind: 'foreign', why: 'it does not belong to this sign-in ("state" differs)' };
  }
  const error = parameters.get('error');
  if (error) return { kind: 'denied', error, description: parameters.get('error_description') ?? undefined };
  const code = parameters.get('code');
  if (!code) return { kind: 'foreign', why: '"code" is missing' };
  return { kind: 'code', code, expiresInSeconds: lifetime(parameters.get('expires_in')) };
}

function lifetime(text: string | null): number | undefined {
  const seconds = text !== null && /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return seconds > 0 ? seconds : undefined;
}

/** Takes the same time wherever the texts differ. */
function sameText(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
