import type { HttpReply, HttpRequest, HttpSend } from '../../src/client/index.ts';
import type { ForeignService } from './service/foreign-service.ts';
import type { WireReply } from './service/wire.ts';

/** The foreign service as the network of a client in the same process. */
export function foreignHttp(service: ForeignService): HttpSend {
  return async (request) => {
    const { method, url, headers, signal } = request;
    signal?.throwIfAborted();
    const body = await bodyOf(request);
    return toReply(service.answer({ method, url, headers: lowerCase(headers), body }));
  };
}

async function bodyOf({ body, stream }: HttpRequest): Promise<string> {
  if (stream) {
    const pieces: Uint8Array[] = [];
    for await (const piece of stream.open()) pieces.push(piece);
    return Buffer.concat(pieces).toString('latin1');
  }
  return typeof body === 'string' ? body : Buffer.from(body ?? '').toString('utf8');
}

function lowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function toReply({ status, headers, body }: WireReply): HttpReply {
  const joined: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    joined[key] = joined[key] === undefined ? value : `${joined[key]}, ${value}`;
  }
  return {
    status,
    header: (name) => joined[name],
    headers: joined,
    text: () => Promise.resolve(body.toString('utf8')),
    async *bytes() {
      yield body;
    },
    discard: () => Promise.resolve(),
  };
}
