import type { HttpSend } from '../../client/index.ts';
import type { Subscription, SubscriptionRequest } from '../../contract/subscription.ts';
import { CommandError, Exit, messageOf } from '../../errors/command.ts';
import { inUrl, publicAddress } from './address.ts';
import { NotTakenError, pollChannel } from './channel.ts';
import type { Origin } from './stored-event.ts';
import { startListener, type Listener, type ListenerOptions } from './listener.ts';
import { readNotification } from './notification.ts';
import type { Intake } from './receive.ts';
import type { Tunnel } from './tunnel.ts';

/** Intake that knows the keys of encrypted notifications. */
export interface KeyedIntake extends Intake {
  keys(): readonly string[];
}

/** How notifications get here. */
export interface Transport {
  readonly origin: Origin;
  /** Local address, where there is one. */
  readonly url: string | undefined;
  /** Before the subscription is made. `onFailure` is told when nothing can arrive any more. */
  open(intake: KeyedIntake, onFailure: (error: Error) => void): Promise<void>;
  deliveryMode(
    encryption: boolean,
    verificationToken: string | undefined,
  ): SubscriptionRequest['deliveryMode'];
  /** After it was made: resolves when everything that happens from now on arrives. */
  begin(subscription: Subscription, onLoss: (reason: string) => void): Promise<void>;
  /** Told each copy of the subscription; another address or key is followed. */
  follow(subscription: Subscription): Promise<void>;
  close(drainMilliseconds: number): Promise<void>;
}

export interface WebhookWish extends Pick<
  ListenerOptions,
  'host' | 'port' | 'path' | 'verificationToken' | 'tls'
> {
  /** The local address for a port. */
  urlOf(port: number): string;
  /** What the service is told; the local address by default. */
  readonly publicAddress: string | undefined;
  /** Starts a tunnel to a port. */
  readonly tunnelTo?: ((port: number, onEnd: (error: Error) => void) => Promise<Tunnel>) | undefined;
}

/** Receives the service's POSTs on this machine. */
export class WebhookTransport implements Transport {
  readonly origin = 'webhook';
  readonly #wish: WebhookWish;
  #listener: Listener | undefined;
  #tunnel: Tunnel | undefined;
  #handshakes = 0;

  constructor(wish: WebhookWish) {
    this.#wish = wish;
  }

  get url(): string {
    return this.#wish.urlOf(this.#listener?.port ?? 0);
  }

  get #address(): string {
    return this.#publicAddress ?? this.url;
  }

  get #publicAddress(): string | undefined {
    return this.#tunnel ? publicAddress(this.#tunnel.url, this.#wish.path) : this.#wish.publicAddress;
  }

  async open(intake: KeyedIntake, onFailure: (error: Error) => void): Promise<void> {
    const { host, port } = this.#wish;
    const hosts = new Set<string>();
    try {
      this.#listener = await startListener({
        ...this.#wish,
        intake,
        hosts,
        keys: () => intake.keys(),
        onHandshake: () => {
          this.#handshakes += 1;
        },
      });
    } catch (cause) {
      throw cannotListen(host, port, cause);
    }
    for (const name of ['127.0.0.1', 'localhost', '[::1]', inUrl(host)])
      hosts.add(`${name}:${this.#listener.port}`);
    this.#tunnel = await this.#wish.tunnelTo?.(this.#listener.port, onFailure);
    if (this.#publicAddress === undefined) return;
    const shown = new URL(this.#publicAddress);
    const usualPort = shown.protocol === 'https:' ? '443' : '80';
    // Proxies name the public host, with or without its usual port, or the one that they were given.
    for (const name of [shown.host, `${shown.hostname}:${shown.port || usualPort}`, 'localhost', '127.0.0.1'])
      hosts.add(name);
  }

  deliveryMode(encryption: boolean, verificationToken: string | undefined) {
    return {
      transportType: 'WebHook' as const,
      address: this.#address,
      ...(encryption && { encryption }),
      ...(verificationToken !== undefined && { verificationToken }),
    };
  }

  async begin(): Promise<void> {
    if (this.#handshakes > 0) return;
    throw new CommandError(
      'handshake_missing',
      Exit.failed,
      `the service accepted ${this.#address}, but its handshake did not reach this listener`,
      { hint: 'the address leads somewhere else; check --public-url and the tunnel' },
    );
  }

  async follow(): Promise<void> {
    // The address is this one for as long as the listener runs.
  }

  async close(drainMilliseconds: number): Promise<void> {
    await this.#listener?.close(drainMilliseconds);
    await this.#tunnel?.close();
  }
}

function cannotListen(host: string, port: number, cause: unknown): CommandError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const otherPort = 'choose another with --port, or --port 0 for any free one';
  const otherHost = 'give an address of this machine with --host';
  const { why, hint } = {
    EADDRINUSE: { why: `port ${port} of ${host} is in use`, hint: otherPort },
    EACCES: { why: `this user may not listen on ${host}, port ${port}`, hint: otherPort },
    EADDRNOTAVAIL: { why: `${host} is no address of this machine`, hint: otherHost },
    ENOTFOUND: { why: `there is no address for ${host}`, hint: otherHost },
  }[code] ?? { why: `cannot listen on ${host}, port ${port}: ${messageOf(cause)}`, hint: otherPort };
  return new CommandError('cannot_listen', Exit.local, why, { hint, cause });
}

export interface ChannelWish {
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
export class ChannelTransport implements Transport {
  readonly origin = 'channel';
  readonly url = undefined;
  readonly #wish: ChannelWish;
  #intake: KeyedIntake | undefined;
  #followed = '';
  #id: string | undefined;
  #stop = new AbortController();
  #polling: Promise<void> = Promise.resolve();
  #onLoss: (reason: string) => void = () => undefined;

  constructor(wish: ChannelWish) {
    this.#wish = wish;
  }

  open(intake: KeyedIntake): Promise<void> {
    this.#intake = intake;
    return Promise.resolve();
  }

  deliveryMode(encryption: boolean) {
    return { transportType: this.#wish.transportType, ...(encryption && { encryption }) };
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
    // One that is made anew is told of as a gap already.
    const isMoved = this.#id === subscription.id;
    this.#id = subscription.id;
    this.#followed = followed;
    this.#stop.abort();
    await this.#polling;
    this.#stop = new AbortController();
    await new Promise<void>((resolve, reject) => {
      this.#polling = pollChannel(subscription, {
        ...this.#wish,
        signal: AbortSignal.any([this.#wish.signal, this.#stop.signal]),
        take: (raw) => this.#take(raw),
        onReady: resolve,
        onFailure: (error) => {
          if (error instanceof NotTakenError) return;
          this.#wish.warn(`the channel does not answer, trying again: ${messageOf(error)}`);
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
