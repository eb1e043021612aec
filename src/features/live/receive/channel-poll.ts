import type { HttpSend } from '../../../client/index.ts';
import type { ChannelReply, Subscription } from '../../../contract/subscription.ts';
import { parseJson, stringifyJson } from '../../../platform/json.ts';

/** A little longer than the service delays its reply when there are no messages (CHANNEL-2). */
const longPollMilliseconds = 330_000;
const firstRetry = 1000;
const longestRetry = 30_000;
/** The channel keeps this many messages; a reply as full as that may not hold all that was published. */
const keptByChannel = 100;

export interface ChannelSettings {
  /** Where the channel is served. */
  readonly origin: URL;
  readonly http: HttpSend;
  readonly signal: AbortSignal;
  /** Waits; rejects when the listening ends. */
  sleep(milliseconds: number): Promise<void>;
  /** Takes one message, as JSON; resolves when it is safe, and only then the channel is asked for more. */
  take(raw: string): Promise<void>;
  /** The first request was answered: from now on everything published is seen. */
  readonly onReady: () => void;
  readonly onFailure: (error: unknown) => void;
  /** Something may have been missed. */
  readonly onLoss: (reason: string) => void;
}

/**
 * Receives from a hosted channel by long polls, until the signal aborts. After a failure it goes on at the message where it was.
 * @returns when the signal aborts. @throws {Error} never otherwise: failures are reported and retried.
 */
export async function pollChannel({ deliveryMode }: Subscription, settings: ChannelSettings): Promise<void> {
  const { signal } = settings;
  const path = `/v2/subscribe/${encodeURIComponent(deliveryMode.subscriberKey ?? '')}/${encodeURIComponent(deliveryMode.address)}/0`;
  const url = new URL(settings.origin.pathname.replace(/\/$/, '') + path, settings.origin);
  let token = '0';
  let retry = firstRetry;
  while (!signal.aborted) {
    try {
      url.searchParams.set('tt', token);
      const reply = await ask(url, settings);
      for (const { d } of reply.m) await takeOne(settings, stringifyJson(d));
      if (reply.m.length >= keptByChannel) settings.onLoss('the channel held more than it keeps');
      if (token === '0') settings.onReady();
      token = reply.t.t;
      retry = firstRetry;
    } catch (error) {
      if (signal.aborted) return;
      if (retry === firstRetry) settings.onFailure(error);
      await settings.sleep(retry).catch(() => undefined);
      retry = Math.min(retry * 2, longestRetry);
    }
  }
}

/** A message could not be stored; its intake has reported that. */
export class NotTakenError extends Error {
  override readonly name = 'NotTakenError';
}

async function takeOne(settings: ChannelSettings, raw: string): Promise<void> {
  try {
    await settings.take(raw);
  } catch (cause) {
    throw new NotTakenError('a message of the channel could not be kept', { cause });
  }
}

async function ask(url: URL, { http, signal }: ChannelSettings): Promise<ChannelReply> {
  const reply = await http({
    method: 'GET',
    url: new URL(url),
    headers: { accept: 'application/json' },
    signal,
    timeoutMilliseconds: longPollMilliseconds,
  });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`the channel answered HTTP ${reply.status}`);
  const value = parseJson(text) as Partial<ChannelReply> | null;
  if (typeof value?.t?.t !== 'string' || !Array.isArray(value.m))
    throw new Error('the channel answered nonsense');
  return value as ChannelReply;
}
