import { isLoopback } from '../platform/base-url.ts';
import { ReplyError } from '../errors/service.ts';
import type { HttpReply, HttpRequest, HttpSend } from './http.ts';

const redirecting = new Set([301, 302, 303, 307, 308]);
const mostRedirects = 5;
/** All that another origin gets to see: no token, no cookie, no header of the caller's own. */
const harmless = new Set(['accept', 'accept-encoding', 'accept-language', 'user-agent', 'range', 'if-range']);

/**
 * Sends a GET and follows its redirects, at most 5. The same origin keeps the token; another one gets neither it nor custom headers, and a token
 * once dropped stays dropped. Never from https to http. Other methods are not followed: their reply is given as it is.
 * @throws {ReplyError} for a redirect that must not be followed, and for a 401 to a request that had lost its token: it says nothing of ours.
 */
export async function sendFollowing(http: HttpSend, request: HttpRequest): Promise<HttpReply> {
  let current = request;
  let isStripped = false;
  for (let count = 0; ; count += 1) {
    const reply = await http(current);
    const location = reply.header('location');
    const line = { method: request.method, path: request.url.pathname };
    if (reply.status === 401 && isStripped) {
      await reply.discard();
      throw new ReplyError(401, line, `the refusal of ${current.url.host}, where it was redirected to`);
    }
    if (request.method !== 'GET' || !redirecting.has(reply.status) || location === undefined) return reply;
    await reply.discard();
    if (count === mostRedirects)
      throw new ReplyError(reply.status, line, `more than ${mostRedirects} redirects`);
    const next = URL.canParse(location, current.url.href) ? new URL(location, current.url) : undefined;
    if (!next) throw new ReplyError(reply.status, line, 'a redirect whose address cannot be read');
    const objection = objectionTo(current.url, next);
    if (objection !== undefined) throw new ReplyError(reply.status, line, `a redirect ${objection}`);
    const stays = next.origin === current.url.origin;
    current = stays ? { ...current, url: next } : stripped(current, next);
    isStripped ||= !stays;
  }
}

/** Why a redirect must not be followed. */
function objectionTo(from: URL, to: URL): string | undefined {
  if (to.username || to.password) return 'to an address with a user name';
  const isPlain = to.protocol === 'http:' && from.protocol === 'http:' && isLoopback(to.hostname);
  return to.protocol === 'https:' || isPlain ? undefined : 'that is not followed, because it leaves https';
}

function stripped(request: HttpRequest, url: URL): HttpRequest {
  const headers = Object.entries(request.headers).filter(([name]) => harmless.has(name.toLowerCase()));
  return { ...request, url, headers: Object.fromEntries(headers) };
}
