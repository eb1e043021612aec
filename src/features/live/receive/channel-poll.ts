import type { HttpSend } from '../../../client/index.ts';
import type { ChannelReply, Subscription } from '../../../contract/subscription.ts';
import { eitherSignal } from '../../../platform/either-signal.ts';
import { isJsonObject, parseJson, stringifyJson } from '../../../platform/json.ts';
import { ownProcess } from '../../../platform/own-process.ts';

/**
 * Timeout of a poll in milliseconds, slightly longer than the service delays its reply when there are no messages
 * (CHANNEL-2).
 */
const longPollMilliseconds = 330_000;
/**
 * Minimum time in milliseconds between the starts of two polls if the first gave nothing new. A cache in front of the
 * service, for example, replies at once.
 */
const idlePollMilliseconds = 1000;
const firstRetryDelay = 1000;
const maxRetryDelay = 30_000;
/** Number of messages that the channel stores. A reply with this number of messages may be incomplete. */
const channelCapacity = 100;

export interface ChannelSettings {
  /** Origin of the channel's server. */
  readonly origin: URL;
  readonly http: HttpSend;
  readonly signal: AbortSignal;
  /** Returns a signal that aborts when the current poll should be sent again on a new connection. */
  restart(): AbortSignal;
  /** Waits; rejects when the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Accepts one message as JSON. Resolves when the message is stored; only then are more messages requested. */
  accept(raw: string): Promise<void>;
  /** Called after the first reply. The channel then delivers every published message. */
  readonly onReady: () => void;
  readonly onFailure: (error: unknown) => void;
  /** The current time in milliseconds since 1970. */
  now(): number;
  /** Called when messages may have been missed. `from` is the time of the last reply that proved that none was missed. */
  readonly onLoss: (reason: string, from: number) => void;
}

/**
 * Receives from a hosted channel by long polls until the signal aborts. After a failure, it resumes at the same
 * message. Failures are reported and retried, never thrown.
 */
export async function pollChannel({ deliveryMode }: Subscription, settings: ChannelSettings): Promise<void> {
  const { signal } = settings;
  const path = `/v2/subscribe/${encodeURIComponent(deliveryMode.subscriberKey ?? '')}/${encodeURIComponent(deliveryMode.address ?? '')}/0`;
  const url = new URL(settings.origin.pathname.replace(/\/$/, '') + path, settings.origin);
  let token = '0';
  let completeUntil = settings.now();
  let retryDelay = firstRetryDelay;
  while (!signal.aborted) {
    const restart = settings.restart();
    const either = eitherSignal(signal, restart);
    const started = ownProcess.monotonicMilliseconds();
    try {
      url.searchParams.set('tt', token);
      const reply = await ask(url, settings.http, either.signal);
      // More messages may arrive while these are being stored.
      const repliedAt = settings.now();
      for (const message of reply.m) await acceptOne(settings, payloadOf(message));
      if (reply.m.length >= channelCapacity)
        settings.onLoss('the channel received more messages than it can store', completeUntil);
      completeUntil = repliedAt;
      const isNew = reply.t.t !== token && (token === '0' || reply.m.length > 0);
      if (token === '0') settings.onReady();
      token = reply.t.t;
      retryDelay = firstRetryDelay;
      const rest = idlePollMilliseconds - (ownProcess.monotonicMilliseconds() - started);
      if (!isNew && rest > 0) await settings.sleep(rest, either.signal);
    } catch (error) {
      if (signal.aborted) return;
      if (restart.aborted) continue;
      if (retryDelay === firstRetryDelay) settings.onFailure(error);
      await settings.sleep(retryDelay, signal).catch(() => undefined);
      retryDelay = Math.min(retryDelay * 2, maxRetryDelay);
    } finally {
      either.end();
    }
  }
}

/** Returns the payload of a message as JSON. For an element that is not a message, returns the element. */
function payloadOf(message: unknown): string {
  return stringifyJson(isJsonObject(message) && 'd' in message ? message['d'] : message);
}

/** Thrown when a message could not be stored. The intake has already reported the reason. */
export class NotStoredError extends Error {
  override readonly name = 'NotStoredError';
}

async function acceptOne(settings: ChannelSettings, raw: string): Promise<void> {
  try {
    await settings.accept(raw);
  } catch (cause) {
    throw new NotStoredError('ucctl could not store a message from the channel', { cause });
  }
}

function parsed(text: string): Partial<ChannelReply> | null {
  try {
    return parseJson(text) as Partial<ChannelReply> | null;
  } catch (cause) {
    throw new Error('the channel sent a reply that is not JSON', { cause });
  }
}

async function ask(url: URL, http: HttpSend, signal: AbortSignal): Promise<ChannelReply> {
  const reply = await http({
    method: 'GET',
    url: new URL(url),
    headers: { accept: 'application/json' },
    signal,
    timeoutMilliseconds: longPollMilliseconds,
  });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`the channel replied with HTTP ${reply.status}`);
  const value = parsed(text);
  if (typeof value?.t?.t !== 'string' || !Array.isArray(value.m))
    throw new Error('the channel sent an unexpected reply');
  return value as ChannelReply;
}
