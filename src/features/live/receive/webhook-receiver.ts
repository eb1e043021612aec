import { cannotListen } from '../../../errors/cannot-listen.ts';
import { CommandError, Exit } from '../../../errors/command.ts';
import { AddressRejectedError } from '../subscription/create.ts';
import type { KeyedIntake, EventTransport } from '../subscription/transport.ts';
import { localHosts, publicAddress } from './address.ts';
import { startListener, type Listener, type ListenerOptions } from './listener.ts';
import type { RejectedHandshake } from './request.ts';
import type { Tunnel } from './tunnel.ts';

export interface WebhookReceiverOptions extends Pick<
  ListenerOptions,
  'host' | 'port' | 'path' | 'verificationToken' | 'tls' | 'warn'
> {
  /** Returns the local address of the receiver for a port. */
  urlOf(port: number): string;
  /** Address to which the service sends notifications; undefined for the local address. */
  readonly publicAddress: string | undefined;
  /** Starts a tunnel to a port; undefined without a tunnel. */
  readonly tunnelTo?: ((port: number, onEnd: (error: Error) => void) => Promise<Tunnel>) | undefined;
}

const listenHints = {
  otherPort: 'choose another port with --port; --port 0 selects a free port',
  otherHost: 'use an address of this machine with --host',
};

/** Receives POST requests of the service on this machine. */
export class WebhookReceiver implements EventTransport {
  readonly origin = 'webhook';
  readonly #options: WebhookReceiverOptions;
  #listener: Listener | undefined;
  #tunnel: Tunnel | undefined;
  #handshakes = 0;
  #rejected: RejectedHandshake | undefined;

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
    const publicPaths = new Set<string>();
    try {
      this.#listener = await startListener({
        ...this.#options,
        intake,
        hosts,
        publicPaths,
        keys: () => intake.keys(),
        onHandshake: () => {
          this.#handshakes += 1;
        },
        onRejectedHandshake: (reason) => {
          this.#rejected = reason;
        },
      });
    } catch (cause) {
      throw cannotListen({ host, port, cause }, listenHints);
    }
    const scheme = this.#options.tls ? 'https' : 'http';
    for (const name of localHosts(scheme, host, this.#listener.port)) hosts.add(name);
    this.#tunnel = await this.#options.tunnelTo?.(this.#listener.port, onFailure);
    if (this.#publicAddress === undefined) return;
    const publicUrl = new URL(this.#publicAddress);
    publicPaths.add(publicUrl.pathname);
    const defaultPort = publicUrl.protocol === 'https:' ? '443' : '80';
    // Proxies send the public host, with or without the default port, or the host of their own target.
    for (const name of [
      publicUrl.host,
      `${publicUrl.hostname}:${publicUrl.port || defaultPort}`,
      'localhost',
      '127.0.0.1',
    ])
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

  /** Adds why this listener rejected the handshake to the error of a subscription. */
  explained(error: unknown): unknown {
    if (!(error instanceof AddressRejectedError) || this.#rejected === undefined) return error;
    return error.with(hintFor(this.#rejected));
  }

  async begin(): Promise<void> {
    if (this.#handshakes > 0) return;
    throw new CommandError(
      'handshake_missing',
      Exit.failed,
      `the service accepted ${this.#address}, but no handshake reached this listener`,
      { hint: 'the address belongs to another receiver; check --public-url and the tunnel' },
    );
  }

  async follow(): Promise<void> {
    // Does nothing, because the address of the listener never changes.
  }

  async close(drainMilliseconds: number): Promise<void> {
    await this.#listener?.close(drainMilliseconds);
    await this.#tunnel?.close();
  }
}

function hintFor(rejected: RejectedHandshake): string {
  return rejected === 'path'
    ? 'a handshake reached this listener on another path; let the proxy forward the path after --public-url unchanged'
    : `a handshake reached this listener with the Host header "${rejected.host}"; let the proxy send the host of --public-url, or 127.0.0.1`;
}
