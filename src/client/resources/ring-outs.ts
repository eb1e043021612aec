import type { Id } from '../../contract/common.ts';
import type { RingOut, RingOutRequest } from '../../contract/ringout.ts';
import { path } from '../path.ts';
import type { RequestOptions } from '../call.ts';
import { ringOutShape } from '../shapes/call.ts';
import { nothing } from '../shapes/shape.ts';
import type { Transport } from '../transport.ts';

const root = '/restapi/v1.0/account/~/extension/~/ringout';

/** Two-legged calls of the signed-in user: docs/spec/ringout.md. */
export class RingOuts {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * POST .../ringout: rings `from`, then `to`. Without `from` the default forwarding number rings.
   * @throws {OutcomeUnknownError} when no answer came: telephones may be ringing.
   */
  start(call: RingOutRequest, options?: RequestOptions): Promise<RingOut> {
    return this.#transport.send(
      { method: 'POST', path: root, body: call, once: true, reply: ringOutShape },
      options,
    );
  }

  /** GET .../ringout/{id} */
  get(id: Id, options?: RequestOptions): Promise<RingOut> {
    return this.#transport.send({ method: 'GET', path: root + path`/${id}`, reply: ringOutShape }, options);
  }

  /** DELETE .../ringout/{id}: only while the called side has not answered. */
  cancel(id: Id, options?: RequestOptions): Promise<void> {
    return this.#transport.send({ method: 'DELETE', path: root + path`/${id}`, reply: nothing }, options);
  }
}
