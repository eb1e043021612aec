import { noteRequest } from '../platform/sent-secrets.ts';
import { isGzip, type HttpReply, type HttpSend } from './http.ts';

/** Larger texts of an error are not looked through, and so not shown. */
const mostErrorCharacters = 1024 * 1024;

/**
 * The same network, which remembers what goes out that is secret and masks it in every reply with an error status: gateways and debugging proxies
 * repeat the request in their errors. Other replies are data and pass unchanged.
 */
export function guardSecrets(http: HttpSend): HttpSend {
  return async (request) => {
    noteRequest(request);
    const reply = await http(request);
    if (reply.status < 400) return reply;
    if (!isGzip(reply)) return masked(reply);
    const { unpacked } = await import('./gunzip.ts');
    return masked(unpacked(reply, { method: request.method, path: request.url.pathname }));
  };
}

/** An error reply whose text and headers hold nothing that was sent and is secret. */
async function masked(reply: HttpReply): Promise<HttpReply> {
  const { maskBodySecrets, maskSecrets } = await import('../platform/mask-secrets.ts');
  const { headers } = reply;
  return {
    status: reply.status,
    header: (name) => {
      const value = reply.header(name);
      return value === undefined ? undefined : maskSecrets(value);
    },
    ...(headers && {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, maskSecrets(value)])),
    }),
    async text() {
      const text = await reply.text();
      return text.length > mostErrorCharacters ? `(${text.length} characters)` : maskBodySecrets(text);
    },
    bytes: (isWhole) => reply.bytes(isWhole),
    discard: () => reply.discard(),
  };
}
