import { isLoopback } from '../../../platform/base-url.ts';
import { usageError } from '../../../errors/command.ts';

/** Reads `--public-url`. @throws {CommandError} unless it is https, or http to this machine or for an app in development. */
export function parsePublicUrl(text: string, development: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && !url.search && !url.hash && !url.username) {
    if (url.protocol === 'https:') return url;
    if (url.protocol === 'http:' && (development || isLoopback(url.hostname))) return url;
  }
  throw usageError(
    `--public-url: "${text}" is not an https:// address`,
    'give the address under which the service reaches this machine, without query; http only for this machine, or with --development',
  );
}

/** The local address of the receiver. */
export function localUrl(scheme: 'http' | 'https', host: string, port: number, path: string): string {
  return `${scheme}://${inUrl(host)}:${port}${path}`;
}

/** A host as addresses have it: an IPv6 one in brackets. */
export function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** The public address with the receiver's path below its own. */
export function publicAddress(url: URL, path: string): string {
  return url.origin + url.pathname.replace(/\/$/, '') + path;
}

/** Reads `--path`. */
export function checkPath(path: string): string {
  if (/^\/[A-Za-z0-9._~/-]*$/.test(path)) return path;
  throw usageError(
    `--path: "${path}" is not a path`,
    'it starts with / and has letters, digits and - . _ ~ /',
  );
}

/** @throws {CommandError} for an address that others can reach, unless the receiver has a certificate. */
export function checkHost(host: string, hasCertificate: boolean): string {
  if (hasCertificate || isLoopback(host)) return host;
  throw usageError(
    `--host: ${host} is not an address of this machine alone`,
    'the receiver speaks plain http; put a tunnel or a TLS proxy in front and give --public-url; or give --tls-cert and --tls-key',
  );
}
