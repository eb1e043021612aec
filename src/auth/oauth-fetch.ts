import { toApiError } from '../client/error-reply.ts';
import { isGzip, type HttpReply } from '../client/http.ts';
import { ReplyError, type RequestLine } from '../client/index.ts';
import { isJsonObject } from '../platform/json.ts';
import type { TokenEndpoint } from './token-endpoint.ts';

/** What the OAuth library hands to its fetch. */
export interface OAuthRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * A fetch for the OAuth library on our own HTTP. An error status throws at once, with the service's own error read from the body: the library
 * knows only the standard's shape.
 * @throws {ApiError} @throws {ConnectionError} @throws {ReplyError} for a redirect.
 */
export function oauthFetch({
  http,
  now,
  timeoutMilliseconds,
  signal,
}: Pick<TokenEndpoint, 'http' | 'now' | 'timeoutMilliseconds' | 'signal'>): (
  url: string,
  request: OAuthRequest,
) => Promise<Response> {
  return async (address, request) => {
    const url = new URL(address);
    const { method } = request;
    const reply = await http({
      method,
      url,
      headers: { ...request.headers, 'accept-encoding': 'identity', 'user-agent': 'ucctl' },
      body: request.body === undefined || request.body === null ? undefined : formText(request.body),
      signal,
      // A refresh token works once: a stale kept-alive connection must not decide whether it was used.
      freshConnection: true,
      timeoutMilliseconds,
    });
    const line = { method, path: url.pathname };
    const text = await (isGzip(reply) ? await unpackedReply(reply, line) : reply).text();
    if (reply.status >= 400) throw toApiError(reply, text, line, now());
    if (reply.status >= 300) throw new ReplyError(reply.status, line, 'a redirect, which is not followed');
    // By what it is: a pair of tokens must not be lost for a header.
    const type = isJson(text) ? 'application/json' : reply.header('content-type');
    return new Response(text === '' ? null : text, {
      status: reply.status,
      ...(type !== undefined && { headers: { 'content-type': type } }),
    });
  };
}

/** Nobody asked for it; yet behind this reply a refresh token may be used up. */
async function unpackedReply(reply: HttpReply, line: RequestLine): Promise<HttpReply> {
  const { unpacked } = await import('../client/gunzip.ts');
  return unpacked(reply, line);
}

function isJson(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function formText(body: unknown): string {
  if (body instanceof URLSearchParams) return body.toString();
  if (typeof body === 'string') return body;
  throw new TypeError('the body of a token request is a form');
}
