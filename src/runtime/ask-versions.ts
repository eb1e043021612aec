import type { HttpReply, HttpSend } from '../client/index.ts';

/**
 * Sends GET /restapi, which needs no sign-in and lists the versions of the interface.
 * @param baseUrl address of the service. @throws {ConnectionError}
 */
export function askVersions(
  http: HttpSend,
  baseUrl: URL,
  limits: { readonly timeoutMilliseconds: number; readonly signal: AbortSignal },
): Promise<HttpReply> {
  return http({
    method: 'GET',
    url: new URL(`${baseUrl.pathname.replace(/\/$/, '')}/restapi`, baseUrl),
    headers: { accept: 'application/json', 'user-agent': 'ucctl' },
    ...limits,
  });
}
