import UndiciAgent from 'undici/lib/dispatcher/agent.js';
import request from 'undici/lib/api/api-request.js';
import type { Dispatcher } from 'undici';
import { ConnectionError } from './errors.ts';
import type { HttpReply, HttpRequest, HttpSend } from './http.ts';

/** Codes of failures before the first byte of the request could be read by the other side. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

export interface UndiciHttp {
  readonly send: HttpSend;
  close(): Promise<void>;
}

/** HTTP on a pool of kept-alive connections. `connections` bounds those to one origin; undici wants twice the parallel requests. */
export function createUndiciHttp(options: { readonly connections?: number } = {}): UndiciHttp {
  const agent = new UndiciAgent({
    connections: options.connections ?? 16,
    connect: { timeout: 10_000 },
    allowH2: false,
  });
  const send: HttpSend = async (outgoing) => {
    try {
      return toReply(await request.call(agent, toRequestOptions(outgoing)), outgoing);
    } catch (error) {
      throw toConnectionError(error, outgoing);
    }
  };
  return { send, close: () => agent.close() };
}

function toRequestOptions(outgoing: HttpRequest): Dispatcher.RequestOptions {
  return {
    origin: outgoing.url.origin,
    path: outgoing.url.pathname + outgoing.url.search,
    method: outgoing.method,
    headers: { ...outgoing.headers },
    body: outgoing.body ?? null,
    headersTimeout: outgoing.timeoutMilliseconds,
    bodyTimeout: outgoing.timeoutMilliseconds,
    reset: outgoing.freshConnection ?? false,
    ...(outgoing.signal && { signal: outgoing.signal }),
  };
}

function toReply(reply: Dispatcher.ResponseData, outgoing: HttpRequest): HttpReply {
  return {
    status: reply.statusCode,
    header(name) {
      const value = reply.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    async text() {
      try {
        return await reply.body.text();
      } catch (error) {
        throw toConnectionError(error, outgoing);
      }
    },
    async *bytes() {
      try {
        yield* reply.body as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw toConnectionError(error, outgoing);
      }
    },
    discard: () => reply.body.dump({ limit: 64 * 1024 }),
  };
}

function toConnectionError(error: unknown, outgoing: HttpRequest): unknown {
  if (outgoing.signal?.aborted) return outgoing.signal.reason;
  const code = errorCode(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return new ConnectionError('TIMEOUT', 'unknown', outgoing.url.origin, error);
  }
  return new ConnectionError(code, neverSent.has(code) ? 'no' : 'unknown', outgoing.url.origin, error);
}

/** Node reports a host with several addresses as an AggregateError whose parts carry the code. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  const own = (error as NodeJS.ErrnoException).code;
  if (own) return own;
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]);
  return error.cause instanceof Error ? errorCode(error.cause) : error.name;
}
