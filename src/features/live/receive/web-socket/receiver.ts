import { randomInt } from 'node:crypto';
import { readNotification, receivedAs } from '../../notification/notification.ts';
import type { LifecycleSettings, SessionSubscription } from '../../subscription/session-subscription.ts';
import type { EventTransport, KeyedIntake } from '../../subscription/transport.ts';
import type { SocketState, WebSocketReceiverOptions } from './options.ts';
import { SocketSession } from './session.ts';

/** Receives through a WebSocket that this machine opens, so that no public address is needed. */
export class WebSocketReceiver implements EventTransport {
  readonly origin = 'websocket';
  readonly url = undefined;
  readonly #options: WebSocketReceiverOptions;
  #intake: KeyedIntake | undefined;
  #session: SocketSession | undefined;

  constructor(options: WebSocketReceiverOptions) {
    this.#options = options;
  }

  /** The session as another connection can continue it; undefined without a session, and while events may be lost. */
  get state(): SocketState | undefined {
    return this.#session?.state;
  }

  open(intake: KeyedIntake): Promise<void> {
    this.#intake = intake;
    return Promise.resolve();
  }

  deliveryMode(encryption: boolean) {
    return { transportType: 'WebSocket' as const, ...(encryption && { encryption }) };
  }

  subscriptionFor(settings: LifecycleSettings): SessionSubscription {
    this.#session = new SocketSession(
      { random: () => randomInt(2 ** 32) / 2 ** 32, ...this.#options },
      settings,
      {
        accept: (envelope, raw) => this.#accept(envelope, raw),
        reject: (reason) => this.#intake?.reject(reason),
      },
    );
    return this.#session;
  }

  begin(): Promise<void> {
    return Promise.resolve();
  }

  follow(): Promise<void> {
    return Promise.resolve();
  }

  async #accept(envelope: unknown, raw: string): Promise<boolean> {
    const received =
      typeof envelope === 'string' ? readNotification(raw, this.#intake?.keys()) : receivedAs(envelope, raw);
    if (!received) {
      this.#intake?.reject('not a notification');
      return false;
    }
    await this.#intake?.accept(received);
    return true;
  }

  async close(): Promise<void> {
    await this.#session?.stop();
  }
}
