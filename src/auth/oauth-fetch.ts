import { toApiError } from '../client/error-reply.ts';
import { isGzip, type HttpReply } from '../client/http.ts';
import { ReplyError, type HttpSend, type RequestLine } from '../client/index.ts';
import { number, text as textMember } from '../client/shapes/shape.ts';
import { isJsonObject, parseJson, stringifyJson } from '../platform/json.ts';

/** What requests of the OAuth library go out by. */
export interface OAuthTransport {
  readonly http: HttpSend;
  /** Milliseconds since 1970: a Retry-After may be a date. */
  readonly now: () => number;
  readonly timeoutMilliseconds: number;
  readonly signal?: AbortSignal | undefined;
}

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
export function oauthFetch(
  transport: OAuthTransport,
): (url: string, request: OAuthRequest) => Promise<Response> {
  const { http, timeoutMilliseconds, signal } = transport;
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
    const whole = await (isGzip(reply) ? await unpackedReply(reply, line) : reply).text();
    if (reply.status >= 400) throw toApiError(reply, whole, line, transport.now());
    if (reply.status >= 300) throw new ReplyError(reply.status, line, 'a redirect, which is not followed');
    // By what it is: a pair of tokens must not be lost for a header.
    const json = plainTokens(whole);
    const type = json === undefined ? reply.header('content-type') : 'application/json';
    return new Response(whole === '' ? null : (json ?? whole), {
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

/** Members of a token reply that may be missing; the library rejects the whole reply when one has another type. */
const optionalMembers = {
  scope: textMember,
  refresh_token: textMember,
  refresh_token_expires_in: number,
  owner_id: textMember,
  endpoint_id: textMember,
} as const;

/**
 * A JSON record as the library can take it; undefined for anything else. An id_token, which nobody asked for, is dropped: the library would
 * validate it, and reject the tokens of an issuer that is named otherwise.
 */
function plainTokens(text: string): string | undefined {
  try {
    const value = parseJson(text);
    if (!isJsonObject(value)) return undefined;
    const { id_token: _unasked, ...given } = value;
    const tokens: Record<string, unknown> = { ...given };
    for (const [name, { read }] of Object.entries(optionalMembers)) {
      if (tokens[name] === undefined) continue;
      const found = tokens[name] === null ? undefined : read(tokens[name]);
      if (found === undefined) delete tokens[name];
      else tokens[name] = found;
    }
    return stringifyJson(tokens);
  } catch {
    return undefined;
  }
}

function formText(body: unknown): string {
  if (body instanceof URLSearchParams) return body.toString();
  if (typeof body === 'string') return body;
  throw new TypeError('the body of a token request is a form');
}
