import { maskHeaderSecrets, maskSecrets } from '../../platform/mask-secrets.ts';
import type { SentSecrets } from '../../platform/sent-secrets.ts';
import { decompressed } from '../gunzip.ts';
import { isGzip, type HttpReply, type HttpRequest, type HttpSend } from '../http.ts';
import { maskBody, maskHeaders, maskUrl } from './mask.ts';

/** One request and its reply or failure, with all secrets masked. */
export interface Exchange {
  /** Start of the request in milliseconds since 1970. */
  readonly startedAt: number;
  readonly milliseconds: number;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | undefined;
  /** HTTP status of the reply; undefined without a reply. */
  readonly status: number | undefined;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string | undefined;
  /** Size of the body that was read, in bytes; of a decompressed body if `responseBody` is its text. */
  readonly responseBytes: number | undefined;
  readonly failure: string | undefined;
}

export type ExchangeSink = (exchange: Exchange) => void;

/** The clock, the secrets and the sinks of a traced network. */
export interface TraceParts {
  /** The current time in milliseconds since 1970. */
  readonly now: () => number;
  /** A monotonic clock in milliseconds. */
  readonly elapsed: () => number;
  /** Registry of the secrets of requests, which are masked in replies. */
  readonly sent: SentSecrets;
  readonly sinks: readonly ExchangeSink[];
}

/** Wraps a network: passes each exchange to the sinks when its reply has been read or has failed. */
export function tracedHttp(http: HttpSend, { now, elapsed, sent, sinks }: TraceParts): HttpSend {
  return async (request) => {
    sent.add(request);
    const startedAt = now();
    const began = elapsed();
    const report = (end: End): void => {
      const times = { startedAt, milliseconds: elapsed() - began };
      const exchange = toExchange(request, times, end, sent);
      for (const sink of sinks) sink(exchange);
    };
    try {
      return watched(await http(request), request, report);
    } catch (error) {
      report({ error });
      throw error;
    }
  };
}

/** How a request ended. */
interface End {
  readonly reply?: HttpReply;
  /** The masked body, or a description of it. */
  readonly body?: string | undefined;
  /** Size of the body in bytes. */
  readonly bytes?: number;
  readonly error?: unknown;
}

function watched(reply: HttpReply, request: HttpRequest, report: (end: End) => void): HttpReply {
  const contentType = reply.header('content-type');
  const reportText = (text: string): void =>
    report({ reply, body: maskBody(text, contentType), bytes: Buffer.byteLength(text) });
  return {
    status: reply.status,
    header: (name) => reply.header(name),
    ...(reply.headers && { headers: reply.headers }),
    async text() {
      try {
        const text = await reply.text();
        reportText(text);
        return text;
      } catch (error) {
        report({ reply, error });
        throw error;
      }
    },
    async *bytes(isWhole) {
      // The client decompresses the pieces of a whole body.
      const compressed: Uint8Array[] | undefined = isWhole && isGzip(reply) ? [] : undefined;
      let count = 0;
      let error: unknown;
      let isRead = false;
      try {
        for await (const piece of reply.bytes(isWhole)) {
          count += piece.length;
          compressed?.push(piece);
          yield piece;
        }
        isRead = true;
      } catch (cause) {
        error = cause;
        throw cause;
      } finally {
        const text = compressed && isRead ? await textOf(compressed, reply, request) : undefined;
        if (text === undefined) report({ reply, body: `(${count} bytes)`, bytes: count, error });
        else reportText(text);
      }
    },
    async discard() {
      report({ reply });
      await reply.discard();
    },
  };
}

/** Returns the text of a compressed body; undefined if it is damaged or too large. */
async function textOf(
  pieces: readonly Uint8Array[],
  reply: HttpReply,
  { method, url }: HttpRequest,
): Promise<string | undefined> {
  const body = {
    ...reply,
    async *bytes() {
      yield* pieces;
    },
  };
  return decompressed(body, { method, path: url.pathname })
    .text()
    .catch(() => undefined);
}

function toExchange(
  request: HttpRequest,
  times: Pick<Exchange, 'startedAt' | 'milliseconds'>,
  end: End,
  sent: SentSecrets,
): Exchange {
  return {
    ...times,
    method: request.method,
    url: maskUrl(request.url),
    requestHeaders: maskHeaders(request.headers),
    requestBody: request.stream
      ? `(${request.stream.size} bytes)`
      : maskBody(request.body, request.headers['content-type']),
    status: end.reply?.status,
    responseHeaders: maskHeaderSecrets(maskHeaders(end.reply?.headers ?? {}), sent),
    responseBody: end.body === undefined ? undefined : maskSecrets(end.body, sent),
    responseBytes: end.bytes,
    failure: end.error === undefined ? undefined : failureName(end.error),
  };
}

/** Name and code of an error. Its message is omitted, because it may contain the data that caused the failure. */
function failureName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? `${error.name} ${code}` : error.name;
}
