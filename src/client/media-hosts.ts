import { isLoopback } from '../platform/base-url.ts';
import { haveSameOwner } from '../platform/registrable-domain.ts';
import type { TransportSettings } from './transport-settings.ts';

/** Whether the token may be sent to a URL that the service returned: to its own origin, and to media hosts. */
export async function mayReceiveToken(
  url: URL,
  { baseUrl, mediaHosts = [], dialect }: Pick<TransportSettings, 'baseUrl' | 'mediaHosts' | 'dialect'>,
): Promise<boolean> {
  if (url.origin === baseUrl.origin) return true;
  if (!mayBeMediaHost(url, baseUrl)) return false;
  if (mediaHosts.includes(url.host)) return true;
  if (dialect?.mediaHosts !== 'same-domain' || url.protocol !== 'https:' || url.port !== '') return false;
  return haveSameOwner(url.hostname, baseUrl.hostname);
}

/** Whether a URL can belong to a media host: https, or plain http on this machine if the service is there, too. */
export function mayBeMediaHost(url: URL, baseUrl: URL): boolean {
  const isSafe = url.protocol === 'https:' || isLoopback(url.hostname);
  return isSafe && url.protocol === baseUrl.protocol;
}
