import { maskHeaderSecrets, maskSecrets } from '../../platform/mask-secrets.ts';
import type { SentSecrets } from '../../platform/sent-secrets.ts';
import type { HttpReply, HttpRequest, HttpSend } from '../http.ts';
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
    const report: ReportReply = (reply, body, error) => {
      const times = { startedAt, milliseconds: elapsed() - began };
      const exchange = toExchange(request, times, { reply, body, error }, sent);
      for (const sink of sinks) sink(exchange);
    };
    try {
      return watched(await http(request), report);
    } catch (error) {
      report(undefined, undefined, error);
      throw error;
    }
  };
}

type ReportReply = (reply: HttpReply | undefined, body: string | undefined, error?: unknown) => void;

function watched(reply: HttpReply, report: ReportReply): HttpReply {
  const contentType = reply.header('content-type');
  return {
    status: reply.status,
    header: (name) => reply.header(name),
    ...(reply.headers && { headers: reply.headers }),
    async text() {
      try {
        const text = await reply.text();
        report(reply, maskBody(text, contentType));
        return text;
      } catch (error) {
        report(reply, undefined, error);
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
        report(reply, `(${count} bytes)`);
      }
    },
    async discard() {
      report(reply, undefined);
      await reply.discard();
    },
  };
}

interface End {
  readonly reply: HttpReply | undefined;
  readonly body: string | undefined;
  readonly error?: unknown;
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
    failure: end.error === undefined ? undefined : failureName(end.error),
  };
}

/** Name and code of an error. Its message is omitted, because it may contain the data that caused the failure. */
function failureName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? `${error.name} ${code}` : error.name;
}
