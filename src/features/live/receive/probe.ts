import { randomUUID } from 'node:crypto';
import type { HttpReply, HttpSend } from '../../../client/index.ts';
import { webhookResponseBytes } from '../../../contract/limits.ts';
import { limitTime } from '../../../platform/time-limit.ts';
import { messageOf } from '../../../errors/command.ts';

export interface ProbeSettings {
  readonly http: HttpSend;
  readonly url: URL;
  readonly signal: AbortSignal;
  /** Time in which a receiver must answer. */
  readonly limitMilliseconds: number;
  readonly verificationToken: string | undefined;
}

/** What a receiver answered, as the service sees it. */
export interface Probe {
  readonly milliseconds: number;
  /** Undefined when it counts as answered well. */
  readonly problem: string | undefined;
  /** No reply came at all. */
  readonly isSilent: boolean;
}

/** Longer than any limit: a slow receiver is measured, not cut off. */
const timeoutMilliseconds = 10_000;

/** An empty POST with a Validation-Token, as at the creation of a subscription (WEBHOOK-1). */
export async function probeHandshake(settings: ProbeSettings): Promise<Probe> {
  const token = randomUUID();
  return probe(settings, { 'validation-token': token }, '', async (reply) => {
    const text = await reply.text();
    if (reply.status !== 200) return `HTTP ${reply.status} instead of 200`;
    const echoed = reply.header('validation-token');
    if (echoed === undefined) return 'the Validation-Token header is missing';
    if (echoed !== token) return 'the Validation-Token is not the one that was sent';
    const type = reply.header('content-type');
    if (type !== undefined && !/^application\/json\b/i.test(type))
      return `Content-Type ${type} instead of application/json`;
    const bytes = sizeOf(reply, text);
    return bytes > webhookResponseBytes
      ? `${bytes} bytes, at most ${webhookResponseBytes} are allowed`
      : undefined;
  });
}

/** A notification. */
export async function probeNotification(settings: ProbeSettings, body: string): Promise<Probe> {
  const { verificationToken } = settings;
  const headers = verificationToken === undefined ? {} : { 'verification-token': verificationToken };
  return probe(settings, headers, body, async (reply) => {
    const text = await reply.text();
    if (reply.status !== 200) return `HTTP ${reply.status} instead of 200`;
    const bytes = sizeOf(reply, text);
    return bytes > webhookResponseBytes
      ? `${bytes} bytes, at most ${webhookResponseBytes} are allowed`
      : undefined;
  });
}

async function probe(
  { http, url, signal, limitMilliseconds }: ProbeSettings,
  headers: Readonly<Record<string, string>>,
  body: string,
  problemOf: (reply: HttpReply) => Promise<string | undefined>,
): Promise<Probe> {
  const start = performance.now();
  const took = (): number => performance.now() - start;
  // For the whole of it: a reply may come in small pieces.
  const limit = limitTime(signal, timeoutMilliseconds);
  try {
    const reply = await http({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
      body,
      signal: limit.signal,
      timeoutMilliseconds,
    });
    const problem = await problemOf(reply);
    const milliseconds = took();
    const late =
      milliseconds > limitMilliseconds
        ? `${Math.round(milliseconds)} ms, at most ${limitMilliseconds} are allowed`
        : undefined;
    return { milliseconds, problem: problem ?? late, isSilent: false };
  } catch (error) {
    if (signal.aborted) throw error;
    const problem = limit.isOver()
      ? `no whole reply within ${timeoutMilliseconds / 1000} s`
      : messageOf(error);
    return { milliseconds: took(), problem, isSilent: true };
  } finally {
    limit.end();
  }
}

/** Status line, headers and body. */
function sizeOf({ headers = {} }: HttpReply, text: string): number {
  const head = Object.entries(headers).reduce(
    (sum, [name, value]) => sum + name.length + value.length + 4,
    0,
  );
  return 'HTTP/1.1 200 OK\r\n\r\n'.length + head + Buffer.byteLength(text);
}
