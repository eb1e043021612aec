import { DryRunStop, type HttpSend, type WithheldRequest } from '../client/index.ts';
import { readRetryAfter } from '../client/retry-after.ts';
import type { AuthEnvironment } from './environment.ts';
import type { TokenEndpoint } from './token-endpoint.ts';

/** The token endpoint of an application, which waits out rate limits unless told `atOnce`; under dry run one that keeps every request back. */
export async function endpointOf(
  environment: AuthEnvironment,
  application: Pick<TokenEndpoint, 'baseUrl' | 'clientId' | 'clientSecret'>,
  how: { readonly atOnce?: boolean } = {},
): Promise<TokenEndpoint> {
  const { baseUrl, clientId, clientSecret } = application;
  const network = environment.dryRun ? withholding : await environment.http();
  return {
    baseUrl,
    clientId,
    clientSecret,
    http: how.atOnce ? network : waiting(network, environment),
    timeoutMilliseconds: environment.settings.timeoutSeconds.value * 1000,
    signal: environment.signal,
  };
}

const defaultMaxWaitSeconds = 125;
/** Without a Retry-After. */
const usualWaitSeconds = 60;

/** The same network, waiting out each 429, which means that the request was not processed, as long as `--max-wait` allows. */
function waiting(http: HttpSend, environment: AuthEnvironment): HttpSend {
  const most = environment.settings.maxWaitSeconds.value ?? defaultMaxWaitSeconds;
  return async (request) => {
    let waited = 0;
    for (;;) {
      const reply = await http(request);
      if (reply.status !== 429 || !environment.sleep) return reply;
      const seconds = Math.max(
        1,
        readRetryAfter(reply.header('retry-after'), environment.now()) ?? usualWaitSeconds,
      );
      waited += seconds;
      if (waited > most) return reply;
      await reply.discard();
      const { method, url } = request;
      const line = { method, path: url.pathname };
      environment.onWait?.({ reason: 'rate-limit', milliseconds: seconds * 1000, request: line });
      await environment.sleep(seconds * 1000);
    }
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
