import { isLoopback } from '../platform/base-url.ts';
import { ConnectionError, ReplyError, type RequestLine } from '../errors/service.ts';
import type { HttpReply, HttpRequest, HttpSend } from './http.ts';

const redirecting = new Set([301, 302, 303, 307, 308]);
const mostRedirects = 5;
/** Headers that are forwarded to another origin. Tokens, cookies and headers of the caller are not forwarded. */
const forwardedHeaders = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'user-agent',
  'range',
  'if-range',
]);

/**
 * Sends a request and follows redirects of a GET, at most 5, never from https to http. Another origin receives neither
 * the token nor headers of the caller, and the client does not add them again after a further redirect. For other
 * methods the redirect is returned.
 * @throws {ReplyError} for a redirect that must not be followed, and for 401 from another origin, which does not mean
 * that the token is invalid.
 */
export async function sendFollowing(http: HttpSend, request: HttpRequest): Promise<HttpReply> {
  let current = request;
  let isStripped = false;
  for (let count = 0; ; count += 1) {
    const { origin } = current.url;
    const reply = await http(current).catch((error: unknown) => {
      throw origin === request.url.origin ? error : redirected(error, request.url.origin);
    });
    const location = reply.header('location');
    const line = { method: request.method, path: request.url.pathname };
    if (reply.status === 401 && isStripped) {
      await reply.discard();
      throw new ReplyError(401, line, `HTTP 401 from ${current.url.host}, the target of a redirect`);
    }
    if (request.method !== 'GET' || !redirecting.has(reply.status) || location === undefined) return reply;
    await reply.discard();
    if (count === mostRedirects)
      throw new ReplyError(reply.status, line, `more than ${mostRedirects} redirects`);
    const next = URL.canParse(location, current.url.href) ? new URL(location, current.url) : undefined;
    if (!next) throw new ReplyError(reply.status, line, 'a redirect with an invalid address');
    const problem = redirectProblem(current.url, next);
    if (problem !== undefined)
      throw new ReplyError(reply.status, line, `a redirect ${problem}`, { isForeign: true });
    const stays = next.origin === current.url.origin;
    current = stays ? { ...current, url: next } : stripped(current, next);
    isStripped ||= !stays;
  }
}

/**
 * Returns the error for a redirect that the client does not follow. @param url the URL of the request
 * @param line method and path of the request, for the error
 */
export function redirectError(reply: HttpReply, url: URL, line: RequestLine): ReplyError {
  const location = reply.header('location') ?? '';
  const target = URL.canParse(location, url.href) ? new URL(location, url).origin : undefined;
  const to = target === undefined || target === url.origin ? '' : ` to ${target}`;
  const isForeign = to !== '';
  return new ReplyError(reply.status, line, `a redirect${to}, which ucctl does not follow`, { isForeign });
}

/** Returns the error of a connection to the target of a redirect, with the host that sent the redirect. */
function redirected(error: unknown, redirectedFrom: string): unknown {
  if (!(error instanceof ConnectionError)) return error;
  const { code, reached, origin, cause, proxy, via } = error;
  return new ConnectionError(code, reached, origin, cause, { proxy, via, redirectedFrom });
}

/** Returns the reason why a redirect must not be followed. */
function redirectProblem(from: URL, to: URL): string | undefined {
  if (to.username || to.password) return 'to a URL with a user name';
  const isPlain = to.protocol === 'http:' && from.protocol === 'http:' && isLoopback(to.hostname);
  return to.protocol === 'https:' || isPlain
    ? undefined
    : `from https to http, which ucctl does not follow: ${to.protocol}//${to.host}`;
}

function stripped(request: HttpRequest, url: URL): HttpRequest {
  const headers = Object.entries(request.headers).filter(([name]) =>
    forwardedHeaders.has(name.toLowerCase()),
  );
  return { ...request, url, headers: Object.fromEntries(headers) };
}
