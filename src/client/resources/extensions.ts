import type { Id } from '../../contract/common.ts';
import type { Extension, ExtensionFilter } from '../../contract/extension.ts';
import type { RequestOptions } from '../call.ts';
import { path } from '../path.ts';
import { pages, type PageOptions } from '../paging.ts';
import { extensionShape } from '../shapes/account.ts';
import { listOf } from '../shapes/shape.ts';
import type { Transport } from '../transport.ts';

/** Extensions of the signed-in account: docs/spec/extensions.md. */
export class Extensions {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** GET /account/~/extension, all pages. Call queues are those of type `Department`. */
  list(filter: ExtensionFilter = {}, options?: PageOptions): AsyncGenerator<Extension, void, undefined> {
    return pages(
      this.#transport,
      {
        method: 'GET',
        path: '/restapi/v1.0/account/~/extension',
        query: { ...filter },
        reply: listOf(extensionShape),
      },
      options,
    );
  }

  /** GET /account/~/extension/{id}; `~` is the extension of the signed-in user. */
  get(extensionId: Id, options?: RequestOptions): Promise<Extension> {
    return this.#transport.send(
      {
        method: 'GET',
        path: path`/restapi/v1.0/account/~/extension/${extensionId}`,
        reply: extensionShape,
      },
      options,
    );
  }
}
