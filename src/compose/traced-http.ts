import type { HttpSend } from '../client/index.ts';
import { inSpan, isTracing } from '../platform/spans.ts';

/** Sends each request in a span. The query is not recorded, because it can contain phone numbers. */
export function tracedHttp(send: HttpSend): HttpSend {
  if (!isTracing()) return send;
  return (request) =>
    inSpan(
      {
        name: request.method,
        kind: 'client',
        attributes: {
          'http.request.method': request.method,
          'server.address': request.url.hostname,
          'url.path': request.url.pathname,
        },
      },
      async (add) => {
        const response = await send(request);
        add('http.response.status_code', response.status);
        return response;
      },
    );
}
