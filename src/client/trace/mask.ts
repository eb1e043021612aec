import { parseJson, stringifyJson } from '../../platform/json.ts';
import { isInterfacePath } from '../../platform/request-path.ts';
import { createHash } from 'node:crypto';

/**
 * Decides which parts of a request `--debug=http` and trace files show. Only listed names are shown: a new field of the
 * service is masked until it is added here.
 */

const shownHeaders =
  /^(accept|accept-encoding|accept-language|cache-control|connection|content-(encoding|length|range|type)|date|etag|if-range|last-modified|range|retry-after|server|transfer-encoding|user-agent|x-rate-limit-\w+|x-request-id)$/;

const shownQuery = new Set(
  (
    'page perPage type view direction messageType availability readStatus dateFrom dateTo syncType recordCount threshold interval ' +
    'detailedTelephonyState sipData response_type status purge withRecording recordingType'
  ).split(' '),
);

const shownForm = new Set([
  'grant_type',
  'token_type_hint',
  'access_token_ttl',
  'refresh_token_ttl',
  'response_type',
]);

/** JSON members with string values that are shown: constants of the service, times and IDs. */
const shownMembers =
  /^(id|sessionId|type|status|\w+Status|direction|availability|priority|errorCode|parameterName|permissionName|error|transportType|encryptionAlgorithm|contentType|\w+Time|dateFrom|dateTo|syncType|result|action|transport|legType|paymentType|usageType|features|coverPage|resolution|faxResolution|token_type)$/;

/**
 * JSON members with numeric values that are shown: counts, sizes and IDs. Any other number could be a phone number or a
 * code.
 */
const shownNumbers =
  /^(id|\w+Id|page|perPage|pageStart|pageEnd|\w*([cC]ount|[dD]uration|[sS]ize)|total\w*|expires_in|refresh_token_expires_in|ts)$/;

/** Returns the headers with all values masked, except those listed in `shownHeaders`. */
export function maskHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, maskHeader(name.toLowerCase(), value)]),
  );
}

function maskHeader(name: string, value: string): string {
  if (name === 'location') return URL.canParse(value) ? maskUrl(new URL(value)) : '***';
  if (name === 'authorization') return value.replace(/^(\w+ )?[\s\S]*$/, '$1***');
  return shownHeaders.test(name) ? value : '***';
}

/** Returns a URL in which every part that could be a secret or a phone number is masked. */
export function maskUrl(url: URL): string {
  const query = [...url.searchParams].map(([name, value]) => maskPair(name, value)).join('&');
  return `${url.origin}${maskPath(url.pathname)}${query === '' ? '' : `?${query}`}`;
}

/** Paths of the interface contain IDs; other paths, such as that of a chat webhook, can be credentials. */
function maskPath(path: string): string {
  const isOwn = isInterfacePath(path);
  const shown = path
    .split('/')
    .map((segment) => {
      const isWord = /^(v\d+(\.\d+)?|[a-z~][a-z-]*)$/i.test(segment) && segment.length <= 24;
      if (segment === '' || (isOwn && isWord)) return segment;
      return isOwn && /^(~|[\d,]{1,20}|[0-9a-f-]{36})$/.test(segment) ? segment : '***';
    })
    .join('/');
  return shown;
}

/** Masks a query parameter. A parameter without a value, as in `?KEY`, can also be a secret. */
function maskPair(name: string, value: string): string {
  return value === '' && !shownQuery.has(name)
    ? '***'
    : `${inQuery(name)}=${inQuery(maskQuery(name, value))}`;
}

/** Encodes the characters that would change the meaning of a query, such as the sign of a time zone. */
function inQuery(text: string): string {
  return text.replaceAll(/[\s"#%&+<=>]/g, encodeURIComponent);
}

function maskQuery(name: string, value: string): string {
  if (name === 'syncToken') return hashed(value);
  return shownQuery.has(name) ? value : '***';
}

/** Masks the content of a body; returns undefined without a body. */
export function maskBody(
  body: string | Uint8Array | undefined,
  contentType: string | undefined,
): string | undefined {
  if (body === undefined || body.length === 0) return undefined;
  if (typeof body !== 'string') return `(${body.length} bytes)`;
  if (contentType?.includes('x-www-form-urlencoded')) return maskForm(body);
  try {
    return stringifyJson(maskJson(parseJson(body), ''));
  } catch {
    return `(${body.length} characters)`;
  }
}

function maskForm(body: string): string {
  return [...new URLSearchParams(body)]
    .map(([name, value]) => `${name}=${shownForm.has(name) ? value : '***'}`)
    .join('&');
}

function maskJson(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => maskJson(item, name));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]: [string, unknown]) => [key, maskJson(item, key)]),
    );
  }
  if (typeof value === 'string') return maskText(value, name);
  return typeof value === 'boolean' || value === null || shownNumbers.test(name) ? value : '(number)';
}

function maskText(value: string, name: string): string {
  if (name === 'syncToken') return hashed(value);
  if ((name === 'uri' || name === 'contentUri' || name === 'href') && URL.canParse(value))
    return maskUrl(new URL(value));
  return shownMembers.test(name) && !looksLikeNumber(value) ? value : `(${value.length} characters)`;
}

/** Whether a text looks like a phone number. */
function looksLikeNumber(value: string): boolean {
  return /^\+\d{5,}$/.test(value);
}

/** Returns a short hash of a token: shows whether two tokens differ without revealing them. */
function hashed(value: string): string {
  return `sha256:${createHash('sha256').update(value).digest('hex').slice(0, 12)}`;
}
