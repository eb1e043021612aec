import type { IncomingMessage } from 'node:http';
import { valuesOf } from '../raw-headers.ts';
import { requestTarget } from '../request-target.ts';
import { sameText } from '../same-text.ts';

/**
 * Header with the token of the run. Pages of other sites cannot set this header. A cookie is not used, because browsers
 * would send it to every port of this machine.
 */
const tokenHeader = 'ucctl-token';

/**
 * Reply headers that allow only content of this server, forbid markup made by scripts, and prevent other pages from
 * embedding the page. Players and pictures use `blob:` addresses, because only requests of the script have the token.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; media-src blob:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

/**
 * Returns the HTTP status of a rejected request; undefined for an allowed one. The Host header detects DNS rebinding: a
 * page whose host name resolves to this machine sends its own host. The Origin header detects requests of other pages.
 */
export function rejection(request: IncomingMessage, port: number, token: string): 401 | 403 | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const [host, second] = valuesOf(request.rawHeaders, 'host');
  if (host === undefined || second !== undefined || !hosts.includes(host.toLowerCase())) return 403;
  const origins = valuesOf(request.rawHeaders, 'origin');
  if (origins.some((origin) => !hosts.some((name) => origin === `http://${name}`))) return 403;
  const isApi = requestTarget(request.url).pathname.startsWith('/api/');
  if (!isApi && request.method === 'GET') return undefined;
  const [given] = valuesOf(request.rawHeaders, tokenHeader);
  return given !== undefined && sameText(given, token) ? undefined : 401;
}
