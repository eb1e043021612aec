import type { List } from '../../contract/common.ts';
import type { Subscription, SubscriptionRequest, SubscriptionUpdate } from '../../contract/subscription.ts';
import { path } from '../path.ts';
import type { Call, RequestOptions } from '../call.ts';
import { recordsOf } from '../paging.ts';
import { subscriptionShape } from '../shapes/event.ts';
import { withId } from '../shapes/same-id.ts';
import { listOf, nothing } from '../shapes/shape.ts';
import type { Transport } from '../transport.ts';

const root = '/restapi/v1.0/subscription';

/** Push-notification subscriptions of this user and application: docs/spec/subscriptions.md. */
export class Subscriptions {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** POST /subscription. For a webhook the service probes the address before it answers. */
  create(subscription: SubscriptionRequest, options?: RequestOptions): Promise<Subscription> {
    return this.#transport.send(
      { method: 'POST', path: root, body: subscription, once: true, reply: subscriptionShape },
      options,
    );
  }

  /** GET /subscription: both transports, not paged. */
  async list(options?: RequestOptions): Promise<readonly Subscription[]> {
    const call: Call = { method: 'GET', path: root, reply: listOf(subscriptionShape) };
    return recordsOf(await this.#transport.send<List<Subscription>>(call, options), call);
  }

  /** GET /subscription/{id} */
  get(id: string, options?: RequestOptions): Promise<Subscription> {
    return this.#transport.send(
      { method: 'GET', path: root + path`/${id}`, reply: subscriptionShape },
      options,
    );
  }

  /** PUT /subscription/{id}: new filters, or only a later end. */
  update(id: string, changes: SubscriptionUpdate = {}, options?: RequestOptions): Promise<Subscription> {
    return this.#transport.send(
      { method: 'PUT', path: root + path`/${id}`, body: changes, reply: withId(subscriptionShape, id) },
      options,
    );
  }

  /** POST /subscription/{id}/renew. Any field of the answer may differ from before. */
  renew(id: string, options?: RequestOptions): Promise<Subscription> {
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
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#transport.send({ method: 'DELETE', path: root + path`/${id}`, reply: nothing }, options);
  }
}
