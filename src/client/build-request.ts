import { stringifyJson } from '../platform/json.ts';
import type { Call, RequestOptions } from './call.ts';
import type { DryRunRequest } from '../errors/dry-run-stop.ts';
import { isStreamBody, type HttpRequest } from './http.ts';

interface Parts {
  readonly call: Call;
  readonly url: URL;
  /** The access token; undefined for hosts that must not receive it. */
  readonly token: string | undefined;
  readonly options: RequestOptions;
  readonly isOpened?: boolean | undefined;
  readonly settings: {
    readonly userAgent: string;
    readonly language?: string | undefined;
    readonly timeoutMilliseconds: number;
  };
}

/**
 * Returns the URL of a call; the base URL may have a path.
 * @throws {RangeError} for a path that resolves to another origin, which would receive the token.
 */
export function callUrl(baseUrl: URL, call: Call): URL {
  const query = queryOf(call);
  const path = baseUrl.pathname.replace(/\/$/, '') + call.path;
  // The query becomes part of the text, because changing `searchParams` of a URL parses the URL again.
  const isPlain = query === undefined || !/[?#]/.test(path);
  const url = new URL(isPlain && query ? `${path}?${query.toString()}` : path, baseUrl);
  if (url.origin !== baseUrl.origin) throw foreignPathError(call.path);
  if (!isPlain) for (const [name, value] of query) url.searchParams.append(name, value);
  return url;
}

/** Returns the parameters of a call; undefined if it has none. */
function queryOf({ query = {} }: Call): URLSearchParams | undefined {
  let parameters: URLSearchParams | undefined;
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) {
      parameters ??= new URLSearchParams();
      parameters.append(name, String(item));
    }
  }
  return parameters;
}

/** Returns the error for a path that resolves to another origin, which would receive the token. */
export function foreignPathError(path: string): RangeError {
  return new RangeError(`path "${path}" does not belong to the service: it must begin with a single /`);
}

const methods: ReadonlySet<string> = new Set<Call['method']>(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** @throws {RangeError} for a method in lower case or without a value, for callers in JavaScript. */
export function requireMethod({ method }: Call): void {
  if (methods.has(method)) return;
  throw new RangeError(`method "${method}" must be one of ${[...methods].join(', ')}`);
}

/** @throws {RangeError} for a timeout that undici would report as a missing reply. */
export function requireTimeout({ timeoutMilliseconds: value = 0 }: RequestOptions): void {
  if (value >= 0 && value <= Number.MAX_SAFE_INTEGER) return;
  throw new RangeError('timeoutMilliseconds must be a number of at least 0');
}

/** @throws {TypeError} for a `dedupeKey` that would not prevent a second request. */
export function requireDedupe(call: Call, { dedupeKey }: RequestOptions, isRecorded: boolean): void {
  if (dedupeKey === undefined) return;
  if (!call.once)
    throw new TypeError('dedupeKey is valid only for requests that send a message or place a call');
  if (isRecorded) return;
  throw new TypeError('dedupeKey needs a recorder; specify the option recorder of createClient');
}

/** Returns the signal that ends an attempt in progress. */
export function attemptSignalOf({ attemptSignal, signal }: RequestOptions): AbortSignal | undefined {
  return attemptSignal ?? signal;
}

/** Returns the HTTP request of a call: headers, body, timeout. */
export function buildRequest({ call, url, token, options, isOpened, settings }: Parts): HttpRequest {
  const { userAgent, language, timeoutMilliseconds } = settings;
  const body = bodyOf(call);
  const stream = isStreamBody(call.body) ? call.body : undefined;
  return {
    method: call.method,
    url,
    headers: {
      accept: call.media ? '*/*' : 'application/json',
      // A file is requested without compression, because a byte range of a compressed file is not a range
      // of the file.
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
    signal: attemptSignalOf(options),
    freshConnection: call.once ?? false,
    isOpened,
    timeoutMilliseconds: options.timeoutMilliseconds ?? timeoutMilliseconds,
  };
}

/** The names are in lower case, so that a header of the caller replaces the default header. */
function lowerCased(headers: Call['headers'] = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function bodyOf({ body, contentType }: Call): string | Uint8Array | undefined {
  if (body === undefined || isStreamBody(body)) return undefined;
  if (contentType === undefined) return stringifyJson(body);
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  throw new TypeError('a body with a custom content type must be a string, bytes or a stream');
}

/** Returns the request in the form that a dry run shows. */
export function dryRunRequestOf(call: Call, url: URL): DryRunRequest {
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

/**
 * Returns the text of a body with a text content type, such as JSON from a file; for other content types the number of
 * bytes.
 */
function textOf(body: Uint8Array, contentType = 'data'): string {
  const size = `(${body.length} bytes of ${contentType})`;
  if (!/json|xml|^\s*text\/|x-www-form-urlencoded/i.test(contentType)) return size;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return size;
  }
}
