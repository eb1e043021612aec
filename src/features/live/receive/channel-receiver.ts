import type { HttpSend } from '../../../client/index.ts';
import type { Subscription } from '../../../contract/subscription.ts';
import { messageOf } from '../../../errors/command.ts';
import { readNotification } from '../notification/notification.ts';
import type { KeyedIntake, EventTransport } from '../subscription/transport.ts';
import { NotStoredError, pollChannel } from './channel-poll.ts';

export interface ChannelReceiverOptions {
  readonly origin: URL;
  readonly http: HttpSend;
  /** Aborts when the run ends. */
  readonly signal: AbortSignal;
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** The current time in milliseconds since 1970. */
  now(): number;
  readonly warn: (text: string) => void;
  /** Name that the service uses for this transport. */
  readonly transportType: 'ChannelService' | 'PubNub';
}

/** Receives from the hosted channel by long polls. */
export class ChannelReceiver implements EventTransport {
  readonly origin = 'channel';
  readonly url = undefined;
  readonly #options: ChannelReceiverOptions;
  #intake: KeyedIntake | undefined;
  #followed = '';
  /** Time of the last state of the subscription that named the followed channel, while the channel was being read. */
  #followedAt = 0;
  #id: string | undefined;
  #stop = new AbortController();
  #restart = new AbortController();
  #polling: Promise<void> = Promise.resolve();
  #onLoss: (reason: string, from: number) => void = () => undefined;

  constructor(options: ChannelReceiverOptions) {
    this.#options = options;
  }

  open(intake: KeyedIntake): Promise<void> {
    this.#intake = intake;
    return Promise.resolve();
  }

  deliveryMode(encryption: boolean) {
    return { transportType: this.#options.transportType, ...(encryption && { encryption }) };
  }

  begin(_subscription: Subscription, onLoss: (reason: string, from: number) => void): Promise<void> {
    this.#onLoss = onLoss;
    return Promise.resolve();
  }

  /** Resolves when the channel of this subscription is being read. */
  async follow(subscription: Subscription): Promise<void> {
    const { address, subscriberKey } = subscription.deliveryMode;
    const followed = `${subscriberKey} ${address}`;
    if (this.#followed === followed) {
      this.#followedAt = this.#options.now();
      return;
    }
    const from = this.#followedAt;
    // A change of the channel is reported only for the same subscription, because a recreated subscription has already
    // been reported as a gap.
    const isMoved = this.#id === subscription.id;
    this.#id = subscription.id;
    this.#followed = followed;
    this.#stop.abort();
    await this.#polling;
    // The channel may have changed again in the meantime.
    if (this.#followed !== followed) return;
    this.#stop = new AbortController();
    await new Promise<void>((resolve, reject) => {
      this.#polling = pollChannel(subscription, {
        ...this.#options,
        signal: AbortSignal.any([this.#options.signal, this.#stop.signal]),
        restart: () => this.#restart.signal,
        accept: (raw) => this.#accept(raw),
        onReady: resolve,
        onFailure: (error) => {
          if (error instanceof NotStoredError) return;
          this.#options.warn(`the hosted channel does not send a valid reply: ${messageOf(error)}; retrying`);
        },
        onLoss: (reason, completeUntil) => this.#onLoss(reason, completeUntil),
      }).then(resolve, reject);
    });
    this.#followedAt = this.#options.now();
    // Reading a channel starts at the current moment: earlier messages are not delivered.
    if (isMoved) this.#onLoss('the service moved the channel to another address', from);
  }

  /** Sends the current poll again, with the same time token, so that no message is missed. */
  reconnect(): void {
    const current = this.#restart;
    this.#restart = new AbortController();
    current.abort();
  }

  async #accept(raw: string): Promise<void> {
    const received = readNotification(raw, this.#intake?.keys());
    if (received) await this.#intake?.accept(received);
    else this.#intake?.reject('not a notification');
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#polling;
  }
}
