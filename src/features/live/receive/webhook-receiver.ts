import { CommandError, Exit, messageOf } from '../../../errors/command.ts';
import type { KeyedIntake, Transport } from '../subscription/transport.ts';
import { inUrl, publicAddress } from './address.ts';
import { startListener, type Listener, type ListenerOptions } from './listener.ts';
import type { Tunnel } from './tunnel.ts';

export interface WebhookReceiverOptions extends Pick<
  ListenerOptions,
  'host' | 'port' | 'path' | 'verificationToken' | 'tls'
> {
  /** The local address for a port. */
  urlOf(port: number): string;
  /** The address given to the service; the local address by default. */
  readonly publicAddress: string | undefined;
  /** Starts a tunnel to a port. */
  readonly tunnelTo?: ((port: number, onEnd: (error: Error) => void) => Promise<Tunnel>) | undefined;
}

/** Receives the service's POSTs on this machine. */
export class WebhookReceiver implements Transport {
  readonly origin = 'webhook';
  readonly #options: WebhookReceiverOptions;
  #listener: Listener | undefined;
  #tunnel: Tunnel | undefined;
  #handshakes = 0;

  constructor(options: WebhookReceiverOptions) {
    this.#options = options;
  }

  get url(): string {
    return this.#options.urlOf(this.#listener?.port ?? 0);
  }

  get #address(): string {
    return this.#publicAddress ?? this.url;
  }

  get #publicAddress(): string | undefined {
    return this.#tunnel ? publicAddress(this.#tunnel.url, this.#options.path) : this.#options.publicAddress;
  }

  async open(intake: KeyedIntake, onFailure: (error: Error) => void): Promise<void> {
    const { host, port } = this.#options;
    const hosts = new Set<string>();
    try {
      this.#listener = await startListener({
        ...this.#options,
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
    this.#tunnel = await this.#options.tunnelTo?.(this.#listener.port, onFailure);
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
