import { randomUUID } from 'node:crypto';
import type { HttpReply, HttpSend } from '../../../client/index.ts';
import { webhookResponseBytes } from '../../../contract/limits.ts';
import { limitTime } from '../../../platform/time-limit.ts';
import { messageOf } from '../../../errors/command.ts';

export interface ProbeSettings {
  readonly http: HttpSend;
  readonly url: URL;
  readonly signal: AbortSignal;
  /** Time in milliseconds within which a receiver must reply. */
  readonly limitMilliseconds: number;
  readonly verificationToken: string | undefined;
}

/** The result of one request to a receiver. */
export interface Probe {
  readonly milliseconds: number;
  /** The reason why the service would count the request as failed; undefined for success. */
  readonly problem: string | undefined;
  /** Whether no reply arrived. */
  readonly isUnanswered: boolean;
}

/**
 * Timeout of a request to a receiver. It is longer than any limit of the service, so that the time of a slow receiver
 * can be measured.
 */
const timeoutMilliseconds = 10_000;

/** Sends a handshake: an empty POST with a Validation-Token, as when a subscription is created (WEBHOOK-1). */
export async function probeHandshake(settings: ProbeSettings): Promise<Probe> {
  const token = randomUUID();
  return probe(settings, { 'validation-token': token }, '', async (reply) => {
    const text = await reply.text();
    if (reply.status !== 200) return `HTTP status is ${reply.status}, expected 200`;
    const echoed = reply.header('validation-token');
    if (echoed === undefined) return 'the reply has no Validation-Token header';
    if (echoed !== token) return 'the Validation-Token header differs from the token of the request';
    const type = reply.header('content-type');
    if (type !== undefined && !/^application\/json\b/i.test(type))
      return `Content-Type is ${type}, expected application/json`;
    const bytes = sizeOf(reply, text);
    return bytes > webhookResponseBytes
      ? `the reply has ${bytes} bytes, but the limit is ${webhookResponseBytes}`
      : undefined;
  });
}

/** Sends a notification to the receiver. */
export async function probeNotification(settings: ProbeSettings, body: string): Promise<Probe> {
  const { verificationToken } = settings;
  const headers = verificationToken === undefined ? {} : { 'verification-token': verificationToken };
  return probe(settings, headers, body, async (reply) => {
    const text = await reply.text();
    if (reply.status !== 200) return `HTTP status is ${reply.status}, expected 200`;
    const bytes = sizeOf(reply, text);
    return bytes > webhookResponseBytes
      ? `the reply has ${bytes} bytes, but the limit is ${webhookResponseBytes}`
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
  const elapsed = (): number => performance.now() - start;
  // The limit covers the whole exchange, because a reply may arrive in small pieces.
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
    const milliseconds = elapsed();
    const late =
      milliseconds > limitMilliseconds
        ? `the reply took ${Math.round(milliseconds)} ms, but the limit is ${limitMilliseconds} ms`
        : undefined;
    return { milliseconds, problem: problem ?? late, isUnanswered: false };
  } catch (error) {
    if (signal.aborted) throw error;
    const problem = limit.isOver()
      ? `no complete reply within ${timeoutMilliseconds / 1000} s`
      : messageOf(error);
    return { milliseconds: elapsed(), problem, isUnanswered: true };
  } finally {
    limit.end();
  }
}

/** Returns the size of a reply in bytes: status line, headers and body. */
function sizeOf({ headers = {} }: HttpReply, text: string): number {
  const head = Object.entries(headers).reduce(
    (sum, [name, value]) => sum + name.length + value.length + 4,
    0,
  );
  return 'HTTP/1.1 200 OK\r\n\r\n'.length + head + Buffer.byteLength(text);
}
