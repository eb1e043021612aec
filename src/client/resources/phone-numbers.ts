import type { Id } from '../../contract/common.ts';
import type { ForwardingNumber, PhoneNumber } from '../../contract/phone-number.ts';
import { pages, type PageOptions } from '../paging.ts';
import { path } from '../path.ts';
import { forwardingNumberShape, phoneNumberShape } from '../shapes/account.ts';
import { listOf } from '../shapes/shape.ts';
import type { Transport } from '../transport.ts';

/** Numbers of an extension: NUMBER-1, NUMBER-4. */
export class PhoneNumbers {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** GET /account/~/extension/{id}/phone-number, all pages. Numbers with feature `SmsSender` can send texts. */
  list(extensionId: Id = '~', options?: PageOptions): AsyncGenerator<PhoneNumber, void, undefined> {
    return pages(
      this.#transport,
      {
        method: 'GET',
        path: path`/restapi/v1.0/account/~/extension/${extensionId}/phone-number`,
        reply: listOf(phoneNumberShape),
      },
      options,
    );
  }

  /** GET /account/~/extension/{id}/forwarding-number, all pages. Numbers with feature `CallForwarding` can place calls. */
  forwarding(
    extensionId: Id = '~',
    options?: PageOptions,
  ): AsyncGenerator<ForwardingNumber, void, undefined> {
    return pages(
      this.#transport,
      {
        method: 'GET',
        path: path`/restapi/v1.0/account/~/extension/${extensionId}/forwarding-number`,
        reply: listOf(forwardingNumberShape),
      },
      options,
    );
  }
}
