import type { HttpSend } from '../../../client/index.ts';
import type { Subscription } from '../../../contract/subscription.ts';
import { messageOf } from '../../../errors/command.ts';
import { readNotification } from '../notification/notification.ts';
import type { KeyedIntake, Transport } from '../subscription/transport.ts';
import { NotTakenError, pollChannel } from './channel-poll.ts';

export interface ChannelReceiverOptions {
  readonly origin: URL;
  readonly http: HttpSend;
  /** The end of the run. */
  readonly signal: AbortSignal;
  sleep(milliseconds: number): Promise<void>;
  readonly warn: (text: string) => void;
  /** The service's word for this transport. */
  readonly transportType: 'ChannelService' | 'PubNub';
}

/** Receives from the hosted channel by long polls. */
export class ChannelReceiver implements Transport {
  readonly origin = 'channel';
  readonly url = undefined;
  readonly #options: ChannelReceiverOptions;
  #intake: KeyedIntake | undefined;
  #followed = '';
  #id: string | undefined;
  #stop = new AbortController();
  #polling: Promise<void> = Promise.resolve();
  #onLoss: (reason: string) => void = () => undefined;

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

  begin(_subscription: Subscription, onLoss: (reason: string) => void): Promise<void> {
    this.#onLoss = onLoss;
    return Promise.resolve();
  }

  /** Resolves when the channel of this copy is being read. */
  async follow(subscription: Subscription): Promise<void> {
    const { address, subscriberKey } = subscription.deliveryMode;
    const followed = `${subscriberKey} ${address}`;
    if (this.#followed === followed) return;
    // A subscription that was created anew is reported as a gap already.
    const isMoved = this.#id === subscription.id;
    this.#id = subscription.id;
    this.#followed = followed;
    this.#stop.abort();
    await this.#polling;
    this.#stop = new AbortController();
    await new Promise<void>((resolve, reject) => {
      this.#polling = pollChannel(subscription, {
        ...this.#options,
        signal: AbortSignal.any([this.#options.signal, this.#stop.signal]),
        take: (raw) => this.#take(raw),
        onReady: resolve,
        onFailure: (error) => {
          if (error instanceof NotTakenError) return;
          this.#options.warn(`the channel does not answer, trying again: ${messageOf(error)}`);
        },
        onLoss: (reason) => this.#onLoss(reason),
      }).then(resolve, reject);
    });
    // A channel is read from now on: what was published there before is not given.
    if (isMoved) this.#onLoss('the service moved the channel');
  }

  async #take(raw: string): Promise<void> {
    const received = readNotification(raw, this.#intake?.keys());
    if (received) await this.#intake?.accept(received);
    else this.#intake?.reject('no notification', Buffer.from(raw));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#polling;
  }
}
