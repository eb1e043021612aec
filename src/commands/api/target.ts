import type { Call } from '../../client/index.ts';
import { normalPath } from '../../platform/request-path.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

export type Method = Call['method'];
const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Where a request goes. */
export interface Target {
  readonly method: Method;
  readonly path: string;
  readonly query: Readonly<Record<string, readonly string[]>>;
}

/**
 * Reads `[METHOD] PATH`, where `--method` may have `named` the method. Nothing leads away from the service: other origins, `..` and method overrides in the query are refused.
 * @throws {CommandError} `usage`.
 */
export function readTarget(words: readonly string[], hasBody: boolean, baseUrl: URL, named?: Method): Target {
  const { method, address } = readWords(words, named);
  const url = locate(address, baseUrl);
  const query: Record<string, string[]> = {};
  for (const [name, value] of url.searchParams) (query[name] ??= []).push(value);
  checkQuery(Object.keys(query));
  return { method: method ?? (hasBody ? 'POST' : 'GET'), path: normalPath(url.pathname), query };
}

/** The method, where one is named, and the address. @throws {CommandError} `usage`. */
function readWords(
  words: readonly string[],
  named: Method | undefined,
): { readonly method: Method | undefined; readonly address: string } {
  const [first, second, ...more] = words;
  if (first === undefined || more.length > 0)
    throw usageError('api takes [METHOD] PATH', ucctl('api --help'));
  const word = methods.find((one) => one === first.toUpperCase());
  if (word && second === undefined)
    throw usageError('api takes [METHOD] PATH', nextStep`say what to ask for: ${ucctl(`api ${word} PATH`)}`);
  if (second !== undefined && !word) throw usageError(`"${first}" is none of ${methods.join(', ')}`);
  if (word && named && word !== named)
    throw usageError(`${word} and -X ${named} are two methods`, 'give one of them');
  return { method: word ?? named, address: second ?? first };
}

/** Nothing in a query may make another request of it, or be a token. @throws {CommandError} `usage`. */
export function checkQuery(names: readonly string[]): void {
  const has = (name: string): boolean => names.some((one) => one.trim().toLowerCase() === name);
  if (has('_method'))
    throw usageError(
      '_method is not allowed in the path',
      nextStep`give the method itself: ${ucctl('api DELETE PATH')}`,
    );
  if (has('access_token'))
    throw usageError('a token does not belong in an address', 'the session is sent by itself');
}

function locate(text: string, baseUrl: URL): URL {
  const filled = text.replaceAll(/\{(accountId|extensionId)\}/g, '~');
  const stray = /\{[^}]*\}/.exec(filled)?.[0];
  if (stray) throw usageError(`${stray} is no placeholder`, 'there are {accountId} and {extensionId}');
  const prefix = baseUrl.pathname.replace(/\/$/, '');
  if (/^[a-z][a-z0-9+.-]*:/i.test(filled)) return own(filled, baseUrl, prefix);
  if (filled.startsWith('//') || filled.includes('\\')) throw away(text);
  // A whole path whose first / was forgotten is none below the version.
  const whole = filled.startsWith('restapi/') ? `/${filled}` : filled;
  const path = whole.startsWith('/') ? whole : `/restapi/v1.0/${whole}`;
  return checked(path, text, baseUrl);
}

function own(text: string, baseUrl: URL, prefix: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.origin !== baseUrl.origin || url.username || url.password) throw away(text);
  const rest = text.slice(text.indexOf(url.host) + url.host.length);
  if (!rest.startsWith(`${prefix}/`)) throw away(text);
  return checked(rest.slice(prefix.length), text, baseUrl);
}

function checked(path: string, typed: string, baseUrl: URL): URL {
  const [segments = ''] = path.split(/[?#]/);
  const climbs = segments.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  if (climbs || !URL.canParse(path, baseUrl.href)) throw away(typed);
  const url = new URL(path, baseUrl);
  if (url.origin !== baseUrl.origin) throw away(typed);
  return url;
}

function away(text: string): Error {
  return usageError(`"${text}" leads away from the service`, 'only addresses of the base URL can be asked');
}
