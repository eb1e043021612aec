import type { Call } from '../../client/index.ts';
import { normalPath } from '../../platform/request-path.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { maskUserInfo } from '../../platform/user-info.ts';

export type Method = Call['method'];
const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Method and address of a request. */
export interface Target {
  readonly method: Method;
  readonly path: string;
  readonly query: Readonly<Record<string, readonly string[]>>;
}

/**
 * Reads `[METHOD] PATH`; `named` is the value of `--method`. Rejects addresses that could reach another server or
 * change the method: other origins, `..` and method overrides in the query.
 * @throws {CommandError} `usage`.
 */
export function readTarget(words: readonly string[], hasBody: boolean, baseUrl: URL, named?: Method): Target {
  const { method, address } = readWords(words, named);
  const url = locate(address, baseUrl);
  // Without a prototype: names such as `constructor` are valid.
  const query = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of url.searchParams) (query[name] ??= []).push(value);
  checkQuery(Object.keys(query));
  return { method: method ?? (hasBody ? 'POST' : 'GET'), path: normalPath(url.pathname), query };
}

/** Returns the method (undefined if it was not given) and the address. @throws {CommandError} `usage`. */
function readWords(
  words: readonly string[],
  named: Method | undefined,
): { readonly method: Method | undefined; readonly address: string } {
  const [first, second, ...more] = words;
  if (first === undefined || more.length > 0)
    throw usageError('invalid arguments: specify [METHOD] PATH', ucctl('api --help'));
  const word = methods.find((one) => one === first.toUpperCase());
  if (word && second === undefined)
    throw usageError('the path is missing', nextStep`to specify the path: ${ucctl`api ${word} PATH`}`);
  if (second !== undefined && !word)
    throw usageError(`"${first}" is not a valid method`, `use one of: ${methods.join(', ')}`);
  if (word && named && word !== named)
    throw usageError(`the methods ${word} and -X ${named} conflict`, 'remove one of them');
  return { method: word ?? named, address: second ?? first };
}

/** Rejects query parameters that override the method or contain a token. @throws {CommandError} `usage`. */
export function checkQuery(names: readonly string[]): void {
  const has = (name: string): boolean => names.some((one) => one.trim().toLowerCase() === name);
  if (has('_method'))
    throw usageError(
      'the query parameter _method is not allowed',
      nextStep`specify the method instead: ${ucctl('api DELETE PATH')}`,
    );
  if (has('access_token'))
    throw usageError(
      'a URL must not contain an access token',
      'remove the token; ucctl sends the token of the session in a header',
    );
}

function locate(text: string, baseUrl: URL): URL {
  const filled = text.replaceAll(/\{(accountId|extensionId)\}/g, '~');
  const placeholder = /\{[^}]*\}/.exec(filled)?.[0];
  if (placeholder) throw usageError(`unknown placeholder ${placeholder}`, 'use {accountId} or {extensionId}');
  const prefix = baseUrl.pathname.replace(/\/$/, '');
  if (/^[a-z][a-z0-9+.-]*:/i.test(filled)) return own(filled, baseUrl, prefix);
  if (filled.startsWith('//') || filled.includes('\\')) throw outsideService(text);
  // Accepts an absolute path without its first slash.
  const absolute = filled.startsWith('restapi/') ? `/${filled}` : filled;
  const path = absolute.startsWith('/') ? absolute : `/restapi/v1.0/${absolute}`;
  return checked(path, text, baseUrl);
}

function own(text: string, baseUrl: URL, prefix: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.origin !== baseUrl.origin || url.username || url.password) throw outsideService(text);
  const rest = text.slice(text.indexOf(url.host) + url.host.length);
  if (!rest.startsWith(`${prefix}/`)) throw outsideService(text);
  return checked(rest.slice(prefix.length), text, baseUrl);
}

function checked(path: string, typed: string, baseUrl: URL): URL {
  const [segments = ''] = path.split(/[?#]/);
  const climbs = segments.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  if (climbs || !URL.canParse(path, baseUrl.href)) throw outsideService(typed);
  const url = new URL(path, baseUrl);
  if (url.origin !== baseUrl.origin) throw outsideService(typed);
  return url;
}

function outsideService(text: string): Error {
  return usageError(
    `"${maskUserInfo(text)}" is not an address below the base URL`,
    'use a path, or an address that begins with the base URL',
  );
}
