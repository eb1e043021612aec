import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../../client/index.ts';
import { messageOf } from '../../../errors/command.ts';
import { readNotification, type Received } from './notification.ts';

export interface KeyFinderSettings {
  readonly api: () => Promise<Pick<Client, 'subscriptions'>>;
  /** Address to which the subscriptions deliver. */
  address(): string | undefined;
  now(): number;
  readonly signal: AbortSignal;
  readonly warn: (text: string) => void;
}

/** Milliseconds after which an event is stored undecrypted, because the service waits only 1000 ms for a reply. */
const deadlineMilliseconds = 400;
const lookupInterval = 10_000;
/** Maximum number of former keys, which notifications on their way may need. */
const maxFormerKeys = 8;

/**
 * Finds the keys of subscriptions that another program created. It requests the keys from the service when a
 * notification cannot be decrypted, because a key is only known after the handshake and may change at each renewal.
 */
export class KeyFinder {
  readonly #settings: KeyFinderSettings;
  #keys: readonly string[] = [];
  #lookup: Promise<void> | undefined;
  #lookedUpAt = Number.NEGATIVE_INFINITY;
  #isReported = false;
  #failure: string | undefined;

  constructor(settings: KeyFinderSettings) {
    this.#settings = settings;
  }

  get keys(): readonly string[] {
    return this.#keys;
  }

  /** Decrypts a notification if a key is found in time; otherwise returns the notification unchanged. */
  async decrypt(received: Received): Promise<Received> {
    if (received.notification) return received;
    const lookup = this.#lookUp().then((failure) => this.#report(received, failure));
    const deadline = new AbortController();
    await Promise.race([
      lookup,
      delay(deadlineMilliseconds, undefined, { signal: deadline.signal }).catch(() => undefined),
    ]);
    deadline.abort();
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
      `no key for an encrypted event (${failure ?? 'no subscription that delivers to this receiver has a key'}); ucctl stores such events encrypted`,
    );
  }

  /**
   * Requests the keys, unless they were requested recently. Returns the reason if the request failed, otherwise
   * undefined.
   */
  async #lookUp(): Promise<string | undefined> {
    const now = this.#settings.now();
    if (!this.#lookup && Math.abs(now - this.#lookedUpAt) >= lookupInterval) {
      this.#lookedUpAt = now;
      this.#lookup = this.#requestKeys().finally(() => {
        this.#lookup = undefined;
      });
    }
    await this.#lookup;
    return this.#failure;
  }

  async #requestKeys(): Promise<void> {
    const { api, signal } = this.#settings;
    const address = this.#settings.address();
    this.#failure = undefined;
    try {
      const { subscriptions } = await api();
      const found = (await subscriptions.list({ signal }))
        .filter(({ deliveryMode }) => deliveryMode.address === address)
        .flatMap(({ deliveryMode }) => deliveryMode.encryptionKey ?? []);
      const former = this.#keys.filter((key) => !found.includes(key)).slice(0, maxFormerKeys);
      this.#keys = [...new Set([...found, ...former])];
    } catch (error) {
      this.#failure = messageOf(error);
    }
  }
}
