import { bodyMembers } from '../platform/body-members.ts';
import { DryRunStop } from '../errors/service.ts';
import type { HttpSend } from './http.ts';
import { maskUrl } from './trace/mask.ts';

/**
 * The network of a dry run, for what goes past the transport, such as a post to a chat webhook: reads only. Addresses there can be credentials, so
 * they are shown as a trace shows them.
 * @throws {DryRunStop} with a request that would change something.
 */
export function withheldHttp(http: HttpSend): HttpSend {
  return (request) => {
    const { method, url, body } = request;
    if (method === 'GET') return http(request);
    const shown = body instanceof Uint8Array ? `(${body.length} bytes)` : body;
    return Promise.reject(
      new DryRunStop({ method, url: maskUrl(url), body: bodyMembers(body) ?? shown, text: undefined }),
    );
  };
}
