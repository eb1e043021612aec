import type { Id } from '../../contract/common.ts';
import type { RingOut, RingOutRequest } from '../../contract/ringout.ts';
import { path } from '../path.ts';
import type { RequestOptions } from '../call.ts';
import type { Dialect } from '../dialect.ts';
import { ringOutShape } from '../shapes/call.ts';
import { withId } from '../shapes/same-id.ts';
import { nothing } from '../shapes/shape.ts';
import type { Transport } from '../transport.ts';

/** RingOut calls of the signed-in user: docs/spec/ringout.md. */
export class RingOuts {
  readonly #transport: Transport;
  readonly #root: string;
  constructor(transport: Transport, dialect: Pick<Dialect, 'ringoutPath'>) {
    this.#transport = transport;
    this.#root = `/restapi/v1.0/account/~/extension/~/${dialect.ringoutPath}`;
  }

  /**
   * POST .../ringout: calls `from`, then `to`. Without `from` it calls the default forwarding number first.
   * @throws {OutcomeUnknownError} without a reply: phones may be ringing.
   */
  async start(call: RingOutRequest, options?: RequestOptions): Promise<RingOut> {
    return this.#transport.send(
      { method: 'POST', path: this.#root, body: call, once: true, reply: ringOutShape },
      options,
    );
  }

  /** GET .../ringout/{id} */
  async get(id: Id, options?: RequestOptions): Promise<RingOut> {
    return this.#transport.send(
      { method: 'GET', path: this.#root + path`/${id}`, reply: withId(ringOutShape, String(id)) },
      options,
    );
  }

  /** DELETE .../ringout/{id}: cancels a call that the callee has not answered. */
  async cancel(id: Id, options?: RequestOptions): Promise<void> {
    return this.#transport.send(
      { method: 'DELETE', path: this.#root + path`/${id}`, reply: nothing },
      options,
    );
  }
}
