import { stringifyJson } from '../platform/json.ts';
import type { Call, RequestOptions } from './call.ts';
import { spell, type Dialect } from './dialect.ts';
import type { WithheldRequest } from '../errors/service.ts';
import { isStreamBody, type HttpRequest } from './http.ts';

interface Parts {
  readonly call: Call;
  readonly url: URL;
  /** Absent where it must not go. */
  readonly token: string | undefined;
  readonly options: RequestOptions;
  readonly settings: {
    readonly userAgent: string;
    readonly language?: string | undefined;
    readonly timeoutMilliseconds: number;
  };
}

/**
 * The address of a call; the base URL may have a path of its own.
 * @throws {RangeError} for a path that leads to another origin: the token would follow it.
 */
export function callUrl(baseUrl: URL, call: Call, dialect: Dialect): URL {
  const url = new URL(baseUrl.pathname.replace(/\/$/, '') + spell(dialect, call.path), baseUrl);
  if (url.origin !== baseUrl.origin) throw leadsAway(call.path);
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(item));
  }
  return url;
}

/** For a path that is none: the token would follow it. */
export function leadsAway(path: string): RangeError {
  return new RangeError(`the path ${path} leads away from the service: give one that begins with a single /`);
}

/** What goes out for a call: headers, body, time limit. */
export function buildRequest({ call, url, token, options, settings }: Parts): HttpRequest {
  const { userAgent, language, timeoutMilliseconds } = settings;
  const body = bodyOf(call);
  const stream = isStreamBody(call.body) ? call.body : undefined;
  return {
    method: call.method,
    url,
    headers: {
      accept: call.media ? '*/*' : 'application/json',
      // A range of a packed file is no range of the file.
      'accept-encoding': call.media ? 'identity' : 'gzip',
      'user-agent': userAgent,
      ...(language && { 'accept-language': language }),
      ...(body !== undefined && { 'content-type': call.contentType ?? 'application/json' }),
      ...(stream && {
        'content-type': call.contentType ?? 'application/octet-stream',
        'content-length': String(stream.size),
      }),
      ...lowerCased(call.headers),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body,
    stream,
    signal: options.signal,
    freshConnection: call.once ?? false,
    timeoutMilliseconds: options.timeoutMilliseconds ?? timeoutMilliseconds,
  };
}

/** Else a name in other letters would go out beside ours. */
function lowerCased(headers: Call['headers'] = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function bodyOf({ body, contentType }: Call): string | Uint8Array | undefined {
  if (body === undefined || isStreamBody(body)) return undefined;
  if (contentType === undefined) return stringifyJson(body);
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  throw new TypeError('a body with a content type of its own is text, bytes or a stream');
}

/** The request as a dry run shows it. */
export function withheldOf(call: Call, url: URL): WithheldRequest {
  const { method, body, contentType } = call;
  const headers = Object.entries(call.headers ?? {}).filter(
    ([name]) => name !== 'content-type' || contentType === undefined,
  );
  const line = {
    method,
    url: url.href,
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(contentType !== undefined && { contentType }),
  };
  if (isStreamBody(body)) return { ...line, body: body.summary, text: body.shown };
  const shown = body instanceof Uint8Array ? textOf(body, contentType) : body;
  return { ...line, body: shown, ...(typeof shown === 'string' && { text: shown }) };
}

/** Bytes that are text by their type, such as JSON from a file, as that text; of others their number. */
function textOf(body: Uint8Array, contentType = 'data'): string {
  const size = `(${body.length} bytes of ${contentType})`;
  if (!/json|xml|^\s*text\/|x-www-form-urlencoded/i.test(contentType)) return size;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return size;
  }
}
