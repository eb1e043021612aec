import type { SentSecrets } from '../platform/sent-secrets.ts';
import { isGzip, type HttpReply, type HttpSend } from './http.ts';

/** Maximum size of an error body that is searched for secrets. Larger error bodies are not shown. */
const mostErrorCharacters = 1024 * 1024;

/**
 * Wraps a network: adds the secrets of each request to `sent` and masks them in replies with an error status. Gateways and debugging
 * proxies repeat the request in their errors. Other replies are data and pass unchanged.
 */
export function guardSecrets(http: HttpSend, sent: SentSecrets): HttpSend {
  return async (request) => {
    sent.add(request);
    const reply = await http(request);
    if (reply.status < 400) return reply;
    if (!isGzip(reply)) return masked(reply, sent);
    const { decompressed } = await import('./gunzip.ts');
    return masked(decompressed(reply, { method: request.method, path: request.url.pathname }), sent);
  };
}

/** Returns the error reply with the secrets of `sent` masked in its headers and text. */
async function masked(reply: HttpReply, sent: SentSecrets): Promise<HttpReply> {
  const { maskBodySecrets, maskHeaderSecrets, maskSecrets } = await import('../platform/mask-secrets.ts');
  const { headers } = reply;
  return {
    status: reply.status,
    header: (name) => {
      const value = reply.header(name);
      return value === undefined ? undefined : maskSecrets(value, sent);
    },
    ...(headers && { headers: maskHeaderSecrets(headers, sent) }),
    async text() {
      const text = await reply.text();
      return text.length > mostErrorCharacters ? `(${text.length} characters)` : maskBodySecrets(text, sent);
    },
    bytes: (isWhole) => reply.bytes(isWhole),
    discard: () => reply.discard(),
  };
}
