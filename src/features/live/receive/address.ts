import { isLoopback } from '../../../platform/base-url.ts';
import { usageError } from '../../../errors/command.ts';
import { maskUserInfo } from '../../../platform/user-info.ts';

/**
 * Parses `--public-url`.
 * @throws {CommandError} unless the URL is https, or http to this machine or for an application in development.
 */
export function parsePublicUrl(text: string, development: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && !url.search && !url.hash && !url.username) {
    if (url.protocol === 'https:') return url;
    if (url.protocol === 'http:' && (development || isLoopback(url.hostname))) return url;
  }
  throw usageError(
    `--public-url: "${maskUserInfo(text)}" is not a valid https:// URL`,
    'use a URL that the service can reach, without a query; http:// requires --development or a local address',
  );
}

/** Returns the local address of the receiver. */
export function localUrl(scheme: 'http' | 'https', host: string, port: number, path: string): string {
  return `${scheme}://${inUrl(host)}:${port}${path}`;
}

/** Returns a host in the form for a URL, where an IPv6 address has brackets. */
function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Returns the Host headers of requests to a local receiver. Clients omit the default port of the scheme, and write an
 * address in its shortest form.
 */
export function localHosts(scheme: 'http' | 'https', host: string, port: number): readonly string[] {
  const names = ['127.0.0.1', 'localhost', '[::1]', inUrl(host)].map((name) => `${name}:${port}`);
  // An address with a zone, such as fe80::1%eth0, is not valid in a URL.
  const urls = names.map((name) => `${scheme}://${name}`).filter((url) => URL.canParse(url));
  return [...names.map((name) => name.toLowerCase()), ...urls.map((url) => new URL(url).host)];
}

/** Returns the public address followed by the path of the receiver. */
export function publicAddress(url: URL, path: string): string {
  return url.origin + url.pathname.replace(/\/$/, '') + path;
}

/** Checks `--path`. @throws {CommandError} `usage` for an invalid path. */
export function checkPath(path: string): string {
  const isUnchanged = (): boolean => new URL(`http://localhost${path}`).pathname === path;
  if (/^\/[A-Za-z0-9._~/-]*$/.test(path) && isUnchanged()) return path;
  throw usageError(
    `--path: "${path}" is not a valid path`,
    'a path starts with / and contains only letters, digits and - . _ ~ /, but no part . or ..',
  );
}

/**
 * Checks `--host`. @throws {CommandError} for an address that other machines can reach, unless the receiver has a
 * certificate.
 */
export function checkHost(host: string, hasCertificate: boolean): string {
  if (hasCertificate || isLoopback(host)) return host;
  throw usageError(
    `--host: other machines can reach ${maskUserInfo(host)}, so the receiver needs https`,
    'use --tls-cert and --tls-key, or a tunnel or TLS proxy with --public-url',
  );
}
