import { toApiError } from '../client/error-reply.ts';
import { isGzip, type HttpReply } from '../client/http.ts';
import { ReplyError, type HttpSend, type RequestLine } from '../client/index.ts';
import { redirectError } from '../client/redirects.ts';
import { number, text as textMember } from '../client/shapes/shape.ts';
import { mediaType } from '../platform/json-type.ts';
import { isJsonObject, parseJson, stringifyJson } from '../platform/json.ts';

/** Transport for the requests of the OAuth library. */
export interface OAuthTransport {
  readonly http: HttpSend;
  /** The current time in milliseconds since 1970, which is needed for a Retry-After header with a date. */
  readonly now: () => number;
  readonly timeoutMilliseconds: number;
  readonly signal?: AbortSignal | undefined;
}

/** Options that the OAuth library passes to its fetch. */
export interface OAuthRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Returns a fetch for the OAuth library that uses the HTTP client of ucctl. An error status throws at once with the
 * error of the service, because the library can only read errors of the standard form.
 * @throws {ApiError} @throws {ConnectionError} @throws {ReplyError} for a redirect and for an HTML page.
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
      // A refresh token works once. After a failure on a stale kept-alive connection, it would be unknown
      // whether the token was used.
      freshConnection: true,
      timeoutMilliseconds,
    });
    const line = { method, path: url.pathname };
    const whole = await (isGzip(reply) ? await unpackedReply(reply, line) : reply).text();
    if (reply.status >= 400) throw toApiError(reply, whole, line, transport.now());
    if (reply.status >= 300) throw redirectError(reply, url, line);
    // The content type is ignored, so that a wrong header does not cause the loss of tokens.
    const json = plainTokens(whole);
    // Another server, such as the sign-in page of a network, may also answer a revocation with 200 (OAUTH-55).
    if (json === undefined && whole !== '' && mediaType(reply.header('content-type')) === 'text/html')
      throw new ReplyError(reply.status, line, 'an HTML page', { isForeign: true });
    const type = json === undefined ? reply.header('content-type') : 'application/json';
    return new Response(whole === '' ? null : (json ?? whole), {
      status: reply.status,
      ...(type !== undefined && { headers: { 'content-type': type } }),
    });
  };
}

/**
 * Decompresses a reply that the server compressed without a request for compression. Rejecting the reply could lose the
 * new tokens of a used refresh token.
 */
async function unpackedReply(reply: HttpReply, line: RequestLine): Promise<HttpReply> {
  const { decompressed } = await import('../client/gunzip.ts');
  return decompressed(reply, line);
}

/** Optional members of a token reply. The library rejects the whole reply if one of them has a wrong type. */
const optionalMembers = {
  scope: textMember,
  refresh_token: textMember,
  refresh_token_expires_in: number,
  owner_id: textMember,
  endpoint_id: textMember,
} as const;

/**
 * Returns a token reply that the library accepts; undefined if it is not a JSON object. An id_token is removed, because
 * it was not requested and the library would reject the tokens if the id_token's issuer has another name.
 */
function plainTokens(text: string): string | undefined {
  try {
    const value = parseJson(text);
    if (!isJsonObject(value)) return undefined;
    const { id_token: _unasked, ...given } = value;
    const tokens: Record<string, unknown> = { ...given };
    // Members without a value are not part of the JSON.
    for (const [name, { read }] of Object.entries(optionalMembers)) tokens[name] = read(tokens[name]);
    return stringifyJson(tokens);
  } catch {
    return undefined;
  }
}

function formText(body: unknown): string {
  if (body instanceof URLSearchParams) return body.toString();
  if (typeof body === 'string') return body;
  throw new TypeError('the body of a token request must be a form');
}
