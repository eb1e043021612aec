import type { HttpSend } from '../client/index.ts';
import { DryRunStop, type WithheldRequest } from '../errors/service.ts';
import type { AuthEnvironment } from './environment.ts';
import type { TokenEndpoint } from './token-endpoint.ts';

/** The token endpoint of an application; under dry run one that keeps every request back. */
export async function endpointOf(
  environment: AuthEnvironment,
  application: Pick<TokenEndpoint, 'baseUrl' | 'clientId' | 'clientSecret'>,
): Promise<TokenEndpoint> {
  const { baseUrl, clientId, clientSecret } = application;
  return {
    baseUrl,
    clientId,
    clientSecret,
    http: environment.dryRun ? withholding : await environment.http(),
    now: () => environment.now(),
    timeoutMilliseconds: environment.settings.timeoutSeconds.value * 1000,
    signal: environment.signal,
  };
}

/** The guard of a dry run, as the transport has it for all else: what signs in or out stops here. */
const withholding: HttpSend = ({ method, url, headers, body }) => {
  const text = typeof body === 'string' ? body : '';
  const contentType = headers['content-type']?.replace(/;.*/, '');
  return Promise.reject(new DryRunStop({ method, url: url.href, contentType, body: text, text }));
};

/** The same end of a dry run, after other requests that it would have made. */
export function after(before: readonly WithheldRequest[], error: unknown): unknown {
  return error instanceof DryRunStop ? new DryRunStop(error.withheld, before) : error;
}
