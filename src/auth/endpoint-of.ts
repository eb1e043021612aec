import type { HttpSend } from '../client/index.ts';
import { DryRunStop, type DryRunRequest } from '../errors/dry-run-stop.ts';
import type { AuthEnvironment } from './environment.ts';
import type { TokenEndpoint } from './token-endpoint.ts';

/** Returns the token endpoint of an application. In a dry run it sends no requests. */
export async function endpointOf(
  environment: AuthEnvironment,
  application: Pick<TokenEndpoint, 'baseUrl' | 'clientId' | 'clientSecret'>,
): Promise<TokenEndpoint> {
  const { baseUrl, clientId, clientSecret } = application;
  return {
    baseUrl,
    clientId,
    clientSecret,
    http: environment.dryRun ? dryRunHttp : await environment.http(),
    now: () => environment.now(),
    timeoutMilliseconds: environment.settings.timeoutSeconds.value * 1000,
    signal: environment.signal,
  };
}

/** Stops a dry run before a request for sign-in or sign-out, as the transport does for all other requests. */
const dryRunHttp: HttpSend = ({ method, url, headers, body }) => {
  const text = typeof body === 'string' ? body : '';
  const contentType = headers['content-type']?.replace(/;.*/, '');
  return Promise.reject(new DryRunStop({ method, url: url.href, contentType, body: text, text }));
};

/** Adds the requests of earlier steps to the error that ends a dry run; returns any other error unchanged. */
export function withEarlierRequests(before: readonly DryRunRequest[], error: unknown): unknown {
  return error instanceof DryRunStop ? new DryRunStop(error.request, before) : error;
}
