import type {
  CallQueue,
  CallQueueCreation,
  CallQueueInfo,
  CallQueueUpdate,
  MemberQueuePresence,
  QueueMemberPresence,
} from '../../contract/call-queue.ts';
import type { Id, List } from '../../contract/common.ts';
import type { BulkAssignItem, DepartmentMember } from '../../contract/department.ts';
import type { Extension } from '../../contract/extension.ts';
import type { RequestOptions } from '../call.ts';
import { pages, type PageOptions } from '../paging.ts';
import { path } from '../path.ts';
import { extensionShape, memberShape } from '../shapes/account.ts';
import { callQueueShape, memberPresenceShape, queuePresenceShape } from '../shapes/call-queue.ts';
import { withId } from '../shapes/same-id.ts';
import { listOf, nothing, optionalListOf } from '../shapes/shape.ts';
import type { Transport } from '../transport.ts';
import type { QueueMembers } from './queue-members.ts';

const root = '/restapi/v1.0/account/~/call-queues';

/**
 * Call queues of dialect `current` (CURRENT-7 to CURRENT-9): members, settings, creation, and availability of members.
 * Services of dialect `spec` reply 404.
 */
export class CallQueues implements QueueMembers {
  readonly #transport: Transport;
  readonly queuesPerRequest = 1;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** GET /account/~/call-queues, all pages; with `memberExtensionId` the queues of one member. */
  list(
    filter: { readonly memberExtensionId?: Id } = {},
    options?: PageOptions,
  ): AsyncGenerator<CallQueue, void, undefined> {
    return pages(
      this.#transport,
      { method: 'GET', path: root, query: { ...filter }, reply: listOf(callQueueShape) },
      options,
    );
  }

  /** GET /account/~/call-queues/{id}: a queue with its settings. */
  async get(queueId: Id, options?: RequestOptions): Promise<CallQueueInfo> {
    return this.#transport.send({ method: 'GET', path: pathOf(queueId), reply: infoOf(queueId) }, options);
  }

  /** PUT /account/~/call-queues/{id}: changes only the settings in the request. */
  async update(queueId: Id, changes: CallQueueUpdate, options?: RequestOptions): Promise<CallQueueInfo> {
    return this.#transport.send(
      { method: 'PUT', path: pathOf(queueId), body: changes, reply: infoOf(queueId) },
      options,
    );
  }

  /**
   * POST /account/~/extension: creates a queue, which cannot be deleted through this interface. Not retried
   * automatically: search for the extension number before you try again.
   */
  async create(queue: CallQueueCreation, options?: RequestOptions): Promise<Extension> {
    return this.#transport.send(
      {
        method: 'POST',
        path: '/restapi/v1.0/account/~/extension',
        body: { type: 'Department', ...queue },
        reply: extensionShape,
      },
      options,
    );
  }

  /** GET /account/~/call-queues/{id}/members: the agents of a queue, all pages. */
  members(queueId: Id, options?: PageOptions): AsyncGenerator<DepartmentMember, void, undefined> {
    return pages(
      this.#transport,
      { method: 'GET', path: `${pathOf(queueId)}/members`, reply: listOf(memberShape) },
      options,
    );
  }

  /** POST /account/~/call-queues/{id}/bulk-assign for each item. If a request fails, the earlier changes remain. */
  async bulkAssign(items: readonly BulkAssignItem[], options?: RequestOptions): Promise<void> {
    for (const { departmentId, addedExtensionIds, removedExtensionIds } of items) {
      await this.#transport.send(
        {
          method: 'POST',
          path: `${pathOf(departmentId)}/bulk-assign`,
          body: { addedExtensionIds, removedExtensionIds },
          reply: nothing,
        },
        options,
      );
    }
  }

  /** GET /account/~/call-queues/{id}/presence: shows which members accept the calls of a queue. */
  async availability(queueId: Id, options?: RequestOptions): Promise<readonly QueueMemberPresence[]> {
    const reply = await this.#transport.send<List<QueueMemberPresence>>(
      { method: 'GET', path: `${pathOf(queueId)}/presence`, reply: optionalListOf(memberPresenceShape) },
      options,
    );
    return reply.records;
  }

  /** PUT /account/~/call-queues/{id}/presence: changes only the named members. */
  async setAvailability(
    queueId: Id,
    members: readonly { readonly id: Id; readonly accepts: boolean }[],
    options?: RequestOptions,
  ): Promise<readonly QueueMemberPresence[]> {
    const records = members.map(({ id, accepts }) => ({
      member: { id: String(id) },
      acceptCurrentQueueCalls: accepts,
    }));
    const reply = await this.#transport.send<List<QueueMemberPresence>>(
      {
        method: 'PUT',
        path: `${pathOf(queueId)}/presence`,
        body: { records },
        reply: listOf(memberPresenceShape),
      },
      options,
    );
    return reply.records;
  }

  /** GET /account/~/extension/{id}/call-queue-presence: shows the queues whose calls a member accepts. */
  async availabilityOf(extensionId: Id, options?: RequestOptions): Promise<readonly MemberQueuePresence[]> {
    const reply = await this.#transport.send<List<MemberQueuePresence>>(
      {
        method: 'GET',
        path: path`/restapi/v1.0/account/~/extension/${extensionId}/call-queue-presence`,
        reply: optionalListOf(queuePresenceShape),
      },
      options,
    );
    return reply.records;
  }

  /** PUT /account/~/extension/{id}/call-queue-presence: changes only the named queues. */
  async setAvailabilityOf(
    extensionId: Id,
    queues: readonly { readonly id: Id; readonly accepts: boolean }[],
    options?: RequestOptions,
  ): Promise<readonly MemberQueuePresence[]> {
    const records = queues.map(({ id, accepts }) => ({
      callQueue: { id: String(id) },
      acceptCalls: accepts,
    }));
    const reply = await this.#transport.send<List<MemberQueuePresence>>(
      {
        method: 'PUT',
        path: path`/restapi/v1.0/account/~/extension/${extensionId}/call-queue-presence`,
        body: { records },
        reply: listOf(queuePresenceShape),
      },
      options,
    );
    return reply.records;
  }
}

function pathOf(queueId: Id): string {
  return root + path`/${queueId}`;
}

/** Returns the queue of a request. A record with another ID does not prove that the service processed the request. */
function infoOf(queueId: Id): ReturnType<typeof withId> {
  return withId(callQueueShape, String(queueId));
}
