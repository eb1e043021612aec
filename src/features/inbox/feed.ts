import type { Client } from '../../client/index.ts';
import type { Notification, Subscription } from '../../contract/subscription.ts';
import { startListener } from './listener.ts';
import { MemoryInbox } from './memory-inbox.ts';
import { openSubscription } from './open-subscription.ts';
import { secretPath } from './secret-path.ts';
import { keysWith } from './seal.ts';
import { keepSubscription } from './subscription-keeper.ts';

export interface FeedSettings {
  readonly api: Pick<Client, 'subscriptions'>;
  readonly eventFilters: readonly string[];
  /** Where the service reaches this machine, without a path; the listener itself when it runs on this machine. */
  readonly publicUrl?: URL | undefined;
  readonly port: number;
  readonly verificationToken?: string | undefined;
  now(): number;
  /** Rejects when its signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  readonly signal: AbortSignal;
  readonly onFailure: (error: unknown) => void;
}

/** Notifications of a subscription of its own, as long as it is open. */
export interface Feed {
  readonly subscription: Subscription;
  notifications(): AsyncGenerator<Notification, void, undefined>;
  /** Other filters for the same subscription. */
  watch(eventFilters: readonly string[]): Promise<void>;
  /** Deletes the subscription and stops listening. @throws what the deletion throws. */
  close(): Promise<void>;
}

/** Longest wait for the service when leaving. */
const farewell = 5000;

/**
 * Listens on this machine and subscribes with it. Nothing stays behind when it fails.
 * @throws what the listener or the service throws.
 */
export async function openFeed(settings: FeedSettings): Promise<Feed> {
  const { api, eventFilters, publicUrl, verificationToken } = settings;
  const path = secretPath();
  const inbox = new MemoryInbox();
  let keys: readonly string[] = [];
  const listener = await startListener({
    host: '127.0.0.1',
    port: settings.port,
    path,
    intake: inbox,
    keys: () => keys,
    verificationToken,
    onHandshake: () => undefined,
  });
  const base = publicUrl ? publicUrl.href.replace(/\/$/, '') : `http://127.0.0.1:${listener.port}`;
  const address = base + path;
  const stop = new AbortController();
  let subscription: Subscription;
  try {
    subscription = await subscribe(api, address, eventFilters, verificationToken, settings.signal);
  } catch (error) {
    await listener.close(0);
    throw error;
  }
  keys = keysWith(keys, subscription);
  let filters = eventFilters;
  const options = { signal: stop.signal };
  const keeping = keepSubscription({
    subscription,
    port: {
      create: () => subscribe(api, address, filters, verificationToken, stop.signal),
      get: (id) => api.subscriptions.get(id, options),
      renew: (id) => api.subscriptions.renew(id, options),
      delete: (id) => api.subscriptions.delete(id, options),
    },
    now: () => settings.now(),
    sleep: (milliseconds) => settings.sleep(milliseconds, stop.signal),
    onCopy: (copy) => {
      subscription = copy;
      keys = keysWith(keys, copy);
    },
    onFailure: settings.onFailure,
    // A view reads everything anew from time to time; it has nothing to fill in.
    onGap: () => undefined,
  }).catch(() => undefined);
  const end = (): void => inbox.close();
  settings.signal.addEventListener('abort', end);
  if (settings.signal.aborted) end();
  return {
    get subscription() {
      return subscription;
    },
    async *notifications() {
      yield* inbox.read();
    },
    async watch(wanted) {
      filters = wanted;
      const copy = await api.subscriptions.update(
        subscription.id,
        { eventFilters: [...wanted] },
        { signal: settings.signal },
      );
      keys = keysWith(keys, copy);
    },
    async close() {
      settings.signal.removeEventListener('abort', end);
      stop.abort();
      inbox.close();
      await keeping;
      try {
        // Not the run's signal: this is done because that one was aborted.
        await api.subscriptions.delete(subscription.id, { signal: AbortSignal.timeout(farewell) });
      } finally {
        await listener.close(farewell);
      }
    },
  };
}

function subscribe(
  api: FeedSettings['api'],
  address: string,
  eventFilters: readonly string[],
  verificationToken: string | undefined,
  signal: AbortSignal,
): Promise<Subscription> {
  const deliveryMode = {
    transportType: 'WebHook' as const,
    address,
    ...(verificationToken && { verificationToken }),
  };
  const wish = { eventFilters: [...eventFilters], deliveryMode };
  return openSubscription(api, wish, signal, { addressIsOurs: true });
}
