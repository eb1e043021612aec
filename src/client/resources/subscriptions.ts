import type { List } from '../../contract/common.ts';
import type { Subscription, SubscriptionRequest, SubscriptionUpdate } from '../../contract/subscription.ts';
import type { WebSocketToken } from '../../contract/web-socket.ts';
import { path } from '../path.ts';
import type { Call, RequestOptions } from '../call.ts';
import { recordsOf } from '../paging.ts';
import { subscriptionShape, webSocketTokenShape } from '../shapes/event.ts';
import { withId } from '../shapes/same-id.ts';
import { listOf, nothing } from '../shapes/shape.ts';
import type { Transport } from '../transport.ts';

const root = '/restapi/v1.0/subscription';
/** Requests of the group Auth in each window that WebSocket tokens leave for sign-ins and renewals. */
const tokensForOthers = 1;

/** Push-notification subscriptions of this user and application: docs/spec/subscriptions.md. */
export class Subscriptions {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** POST /subscription. For a webhook, the service validates the URL before it replies. */
  async create(subscription: SubscriptionRequest, options?: RequestOptions): Promise<Subscription> {
    return this.#transport.send(
      { method: 'POST', path: root, body: subscription, once: true, reply: subscriptionShape },
      options,
    );
  }

  /** GET /subscription: the subscriptions of both transports. */
  async list(options?: RequestOptions): Promise<readonly Subscription[]> {
    const call: Call = { method: 'GET', path: root, reply: listOf(subscriptionShape) };
    return recordsOf(await this.#transport.send<List<Subscription>>(call, options), call);
  }

  /** GET /subscription/{id} */
  async get(id: string, options?: RequestOptions): Promise<Subscription> {
    return this.#transport.send(
      { method: 'GET', path: root + path`/${id}`, reply: subscriptionShape },
      options,
    );
  }

  /**
   * PUT /subscription/{id}: replaces the filters, or without changes only extends the subscription. In dialect `current`,
   * changes must include the filters.
   */
  async update(
    id: string,
    changes: SubscriptionUpdate = {},
    options?: RequestOptions,
  ): Promise<Subscription> {
    const body = Object.keys(changes).length > 0 ? changes : undefined;
    return this.#transport.send(
      { method: 'PUT', path: root + path`/${id}`, body, reply: withId(subscriptionShape, id) },
      options,
    );
  }

  /** POST /subscription/{id}/renew. Any field of the reply may have changed. */
  async renew(id: string, options?: RequestOptions): Promise<Subscription> {
    return this.#transport.send(
      {
        method: 'POST',
        path: root + path`/${id}/renew`,
        resend: 'always',
        reply: withId(subscriptionShape, id),
      },
      options,
    );
  }

  /** DELETE /subscription/{id} */
  async delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#transport.send({ method: 'DELETE', path: root + path`/${id}`, reply: nothing }, options);
  }

  /**
   * POST /restapi/oauth/wstoken: the address of a WebSocket for events, and a token that is valid once (SOCKET-1). All
   * processes of a user on this machine share a limit for this request, so that sign-ins remain possible.
   */
  async webSocketToken(options?: RequestOptions): Promise<WebSocketToken> {
    return this.#transport.send(
      {
        method: 'POST',
        path: '/restapi/oauth/wstoken',
        resend: 'always',
        reserve: tokensForOthers,
        reply: webSocketTokenShape,
      },
      options,
    );
  }
}
