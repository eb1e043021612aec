import { bodyMembers } from '../platform/body-members.ts';
import { DryRunStop } from '../errors/dry-run-stop.ts';
import type { HttpSend } from './http.ts';
import { maskUrl } from './trace/mask.ts';

/**
 * Returns the network of a dry run for requests that bypass the transport, such as a post to a chat webhook. It sends
 * only GET. URLs are masked as in a trace, because such a URL can be a credential.
 * @throws {DryRunStop} with the request, if it is not a GET.
 */
export function dryRunHttp(http: HttpSend): HttpSend {
  return (request) => {
    const { method, url, body } = request;
    if (method === 'GET') return http(request);
    const shown = body instanceof Uint8Array ? `(${body.length} bytes)` : body;
    return Promise.reject(
      new DryRunStop({ method, url: maskUrl(url), body: bodyMembers(body) ?? shown, text: undefined }),
    );
  };
}
