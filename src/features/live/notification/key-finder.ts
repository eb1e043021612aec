import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../../client/index.ts';
import { messageOf } from '../../../errors/command.ts';
import { readNotification, type Received } from './notification.ts';

export interface KeyFinderSettings {
  readonly api: () => Promise<Pick<Client, 'subscriptions'>>;
  /** Where the subscriptions deliver. */
  address(): string | undefined;
  now(): number;
  readonly signal: AbortSignal;
  readonly warn: (text: string) => void;
}

/** The service waits 1000 ms for its 200; the event must be on disk within that, open or not. */
const deadlineMilliseconds = 400;
const askAgainAfter = 10_000;
/** Of several subscriptions, and former ones. */
const mostKeys = 8;

/**
 * Keys of events for subscriptions that something else has made: the service is asked for them when an event comes that no known key opens,
 * for it tells a key only after the handshake, and may change it at each renewal.
 */
export class KeyFinder {
  readonly #settings: KeyFinderSettings;
  #keys: readonly string[] = [];
  #looking: Promise<void> | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #isReported = false;
  #failure: string | undefined;

  constructor(settings: KeyFinderSettings) {
    this.#settings = settings;
  }

  get keys(): readonly string[] {
    return this.#keys;
  }

  /** The event as it is read, where a key is found in time. */
  async open(received: Received): Promise<Received> {
    if (received.notification) return received;
    const looking = this.#look().then((failure) => this.#report(received, failure));
    const enough = new AbortController();
    await Promise.race([
      looking,
      delay(deadlineMilliseconds, undefined, { signal: enough.signal }).catch(() => undefined),
    ]);
    enough.abort();
    return this.#read(received);
  }

  #read(received: Received): Received {
    return readNotification(received.raw, this.#keys) ?? received;
  }

  #report(received: Received, failure: string | undefined): void {
    const { signal, warn } = this.#settings;
    if (this.#isReported || signal.aborted || this.#read(received).notification) return;
    this.#isReported = true;
    warn(
      `there is no key for an encrypted event (${failure ?? 'no subscription of yours with one delivers here'}); such events are kept as they came`,
    );
  }

  /** Why the service could not be asked, if so. */
  async #look(): Promise<string | undefined> {
    const now = this.#settings.now();
    if (!this.#looking && Math.abs(now - this.#askedAt) >= askAgainAfter) {
      this.#askedAt = now;
      this.#looking = this.#ask().finally(() => {
        this.#looking = undefined;
      });
    }
    await this.#looking;
    return this.#failure;
  }

  async #ask(): Promise<void> {
    const { api, signal } = this.#settings;
    const address = this.#settings.address();
    this.#failure = undefined;
    try {
      const { subscriptions } = await api();
      const found = (await subscriptions.list({ signal }))
        .filter(({ deliveryMode }) => deliveryMode.address === address)
        .flatMap(({ deliveryMode }) => deliveryMode.encryptionKey ?? []);
      this.#keys = [...new Set([...found, ...this.#keys])].slice(0, mostKeys);
    } catch (error) {
      this.#failure = messageOf(error);
    }
  }
}
