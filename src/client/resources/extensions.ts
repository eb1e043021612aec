import type { ExtensionFeature } from '../../contract/call-queue.ts';
import type { Id, List } from '../../contract/common.ts';
import type { ExtensionBulkUpdateTask, ExtensionUpdate } from '../../contract/extension-bulk-update.ts';
import type { Extension, ExtensionFilter } from '../../contract/extension.ts';
import type { Call, RequestOptions } from '../call.ts';
import { completeList } from '../complete-list.ts';
import { pages, type ListReading, type PageOptions } from '../paging.ts';
import { path } from '../path.ts';
import { bulkUpdateTaskShape, extensionShape } from '../shapes/account.ts';
import { featureShape } from '../shapes/call-queue.ts';
import { listOf, optionalListOf } from '../shapes/shape.ts';
import type { Transport } from '../transport.ts';

const listReading: ListReading = { readsAhead: true };

function listCall(filter: ExtensionFilter): Call {
  return {
    method: 'GET',
    path: '/restapi/v1.0/account/~/extension',
    query: { ...filter },
    reply: listOf(extensionShape),
  };
}

/** Extensions of the signed-in account: docs/spec/extensions.md. */
export class Extensions {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** GET /account/~/extension, all pages. Call queues are those of type `Department`. */
  list(filter: ExtensionFilter = {}, options?: PageOptions): AsyncGenerator<Extension, void, undefined> {
    return pages(this.#transport, listCall(filter), options, listReading);
  }

  /**
   * Like `list`, but reads the whole list before it returns, and reads it again if extensions were deleted meanwhile. A
   * deletion between two pages makes `list` skip an extension.
   */
  all(filter: ExtensionFilter = {}, options?: RequestOptions): Promise<readonly Extension[]> {
    return completeList(this.#transport, listCall(filter), options, listReading);
  }

  /** GET /account/~/extension/{id}; `~` is the extension of the signed-in user. */
  async get(extensionId: Id, options?: RequestOptions): Promise<Extension> {
    return this.#transport.send(
      {
        method: 'GET',
        path: path`/restapi/v1.0/account/~/extension/${extensionId}`,
        reply: extensionShape,
      },
      options,
    );
  }

  /**
   * POST /account/~/extension-bulk-update: starts a task that changes up to 500 extensions, in dialect `current` only. Members
   * that a record does not name stay unchanged.
   */
  async update(
    records: readonly ExtensionUpdate[],
    options?: RequestOptions,
  ): Promise<ExtensionBulkUpdateTask> {
    return this.#transport.send(
      {
        method: 'POST',
        path: '/restapi/v1.0/account/~/extension-bulk-update',
        body: { records },
        reply: bulkUpdateTaskShape,
      },
      options,
    );
  }

  /** GET /account/~/extension-bulk-update/tasks/{id}: the status of such a task, and the result for each extension. */
  async updateTask(taskId: string, options?: RequestOptions): Promise<ExtensionBulkUpdateTask> {
    return this.#transport.send(
      {
        method: 'GET',
        path: path`/restapi/v1.0/account/~/extension-bulk-update/tasks/${taskId}`,
        reply: bulkUpdateTaskShape,
      },
      options,
    );
  }

  /** GET /account/~/extension/{id}/features: the named features (OPERATION-7), in dialect `current` only. */
  async features(
    extensionId: Id,
    featureIds: readonly string[],
    options?: RequestOptions,
  ): Promise<readonly ExtensionFeature[]> {
    const reply = await this.#transport.send<List<ExtensionFeature>>(
      {
        method: 'GET',
        path: path`/restapi/v1.0/account/~/extension/${extensionId}/features`,
        query: { featureId: featureIds },
        reply: optionalListOf(featureShape),
      },
      options,
    );
    return reply.records;
  }
}
