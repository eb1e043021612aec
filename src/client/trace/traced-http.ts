import { maskSecrets } from '../../platform/mask-secrets.ts';
import { noteRequest } from '../../platform/sent-secrets.ts';
import type { HttpReply, HttpRequest, HttpSend } from '../http.ts';
import { maskBody, maskHeaders, maskUrl } from './mask.ts';

/** One request and what came of it, everything masked. */
export interface Exchange {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly milliseconds: number;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | undefined;
  /** Undefined when no reply came. */
  readonly status: number | undefined;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string | undefined;
  readonly failure: string | undefined;
}

export type ExchangeSink = (exchange: Exchange) => void;

/** The same network, with every exchange told to the sinks: when its body was read, or at once when there is none to read. */
export function tracedHttp(http: HttpSend, now: () => number, sinks: readonly ExchangeSink[]): HttpSend {
  return async (request) => {
    noteRequest(request);
    const startedAt = now();
    const tell = (reply: HttpReply | undefined, body: string | undefined, error?: unknown): void => {
      const exchange = toExchange(request, startedAt, now() - startedAt, { reply, body, error });
      for (const sink of sinks) sink(exchange);
    };
    try {
      return watched(await http(request), tell);
    } catch (error) {
      tell(undefined, undefined, error);
      throw error;
    }
  };
}

function watched(
  reply: HttpReply,
  tell: (reply: HttpReply, body: string | undefined, error?: unknown) => void,
): HttpReply {
  const contentType = reply.header('content-type');
  return {
    status: reply.status,
    header: (name) => reply.header(name),
    ...(reply.headers && { headers: reply.headers }),
    async text() {
      try {
        const text = await reply.text();
        tell(reply, maskBody(text, contentType));
        return text;
      } catch (error) {
        tell(reply, undefined, error);
        throw error;
      }
    },
    async *bytes(isWhole) {
      let count = 0;
      try {
        for await (const piece of reply.bytes(isWhole)) {
          count += piece.length;
          yield piece;
        }
      } finally {
        tell(reply, `(${count} bytes)`);
      }
    },
    async discard() {
      tell(reply, undefined);
      await reply.discard();
    },
  };
}

interface End {
  readonly reply: HttpReply | undefined;
  readonly body: string | undefined;
  readonly error?: unknown;
}

function toExchange(request: HttpRequest, startedAt: number, milliseconds: number, end: End): Exchange {
  return {
    startedAt,
    milliseconds,
    method: request.method,
    url: maskUrl(request.url),
    requestHeaders: maskHeaders(request.headers),
    requestBody: request.stream
      ? `(${request.stream.size} bytes)`
      : maskBody(request.body, request.headers['content-type']),
    status: end.reply?.status,
    responseHeaders: withoutSecrets(maskHeaders(end.reply?.headers ?? {})),
    responseBody: end.body === undefined ? undefined : maskSecrets(end.body),
    failure: end.error === undefined ? undefined : failureName(end.error),
  };
}

/** What a trace shows of a reply is harmless in itself; a server may have put there what it was sent. */
function withoutSecrets(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, maskSecrets(value)]));
}

/** Only the code: a message may hold what it failed on. */
function failureName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? `${error.name} ${code}` : error.name;
}
