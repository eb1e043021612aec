import type {
  SmsBatch,
  SmsBatchFilter,
  SmsBatchMessage,
  SmsBatchMessageFilter,
  SmsBatchRequest,
} from '../../contract/sms-batch.ts';
import { smsBatchesPath } from '../../platform/sending-paths.ts';
import type { RequestOptions } from '../call.ts';
import type { PageOptions } from '../paging.ts';
import { path } from '../path.ts';
import { withId } from '../shapes/same-id.ts';
import { pageOf } from '../shapes/shape.ts';
import { smsBatchMessageShape, smsBatchReceipt, smsBatchShape } from '../shapes/sms-batch.ts';
import { tokenPages } from '../token-pages.ts';
import type { Transport } from '../transport.ts';

const root = '/restapi/v1.0/account/~/a2p-sms';

/** Batches of high-volume texts: docs/spec/sms-batches.md. Only dialect `current` has them. */
export class SmsBatches {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * POST /account/~/a2p-sms/batches: sends texts from a number with the feature A2PSmsSender.
   * @throws {OutcomeUnknownError} without a reply: check whether the batch was accepted before trying again.
   */
  async create(batch: SmsBatchRequest, options?: RequestOptions): Promise<SmsBatch> {
    return this.#transport.send(
      { method: 'POST', path: smsBatchesPath, body: batch, once: true, reply: smsBatchReceipt(batch) },
      options,
    );
  }

  /** GET /account/~/a2p-sms/batches, all pages. */
  list(filter: SmsBatchFilter = {}, options?: PageOptions): AsyncGenerator<SmsBatch, void, undefined> {
    return tokenPages(
      this.#transport,
      { method: 'GET', path: smsBatchesPath, query: { ...filter }, reply: pageOf(smsBatchShape) },
      options,
    );
  }

  /** GET /account/~/a2p-sms/batches/{id} */
  async get(batchId: string, options?: RequestOptions): Promise<SmsBatch> {
    return this.#transport.send(
      {
        method: 'GET',
        path: path`/restapi/v1.0/account/~/a2p-sms/batches/${batchId}`,
        reply: withId(smsBatchShape, batchId),
      },
      options,
    );
  }

  /** GET /account/~/a2p-sms/messages, all pages: texts of batches, each with its status. */
  messages(
    filter: SmsBatchMessageFilter = {},
    options?: PageOptions,
  ): AsyncGenerator<SmsBatchMessage, void, undefined> {
    return tokenPages(
      this.#transport,
      {
        method: 'GET',
        path: `${root}/messages`,
        query: { ...filter },
        reply: pageOf(smsBatchMessageShape),
      },
      options,
    );
  }
}
