import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { valuesOf } from '../receive/handshake.ts';

/** Where the page's script carries the token of the run: a header, which no other page can set, and no cookie, which every port would get. */
const tokenHeader = 'ucctl-token';

/** Nothing but what this server serves may run, load or be sent; no other page may show this one. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

/**
 * Status of the rejection, undefined for a request that may pass. A page of another site that resolves its name to this machine gives that name
 * (DNS rebinding); one that sends here gives its origin.
 */
export function rejection(request: IncomingMessage, port: number, token: string): 401 | 403 | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const [host, second] = valuesOf(request.rawHeaders, 'host');
  if (host === undefined || second !== undefined || !hosts.includes(host.toLowerCase())) return 403;
  const origins = valuesOf(request.rawHeaders, 'origin');
  if (origins.some((origin) => !hosts.some((name) => origin === `http://${name}`))) return 403;
  const isApi = request.url?.startsWith('/api/') ?? false;
  if (!isApi && request.method === 'GET') return undefined;
  const [given] = valuesOf(request.rawHeaders, tokenHeader);
  return given !== undefined && isSame(given, token) ? undefined : 401;
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
