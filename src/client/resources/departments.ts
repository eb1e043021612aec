import type { BulkAssignItem, DepartmentMember } from '../../contract/department.ts';
import type { Id } from '../../contract/common.ts';
import { pages, type PageOptions } from '../paging.ts';
import { path } from '../path.ts';
import type { RequestOptions } from '../call.ts';
import { memberShape } from '../shapes/account.ts';
import { listOf, nothing } from '../shapes/shape.ts';
import type { Transport } from '../transport.ts';
import type { QueueMembers } from './queue-members.ts';

/** Call queues, called departments in dialect `spec`: docs/spec/queues.md. */
export class Departments implements QueueMembers {
  readonly #transport: Transport;
  readonly queuesPerRequest = Number.POSITIVE_INFINITY;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** GET /account/~/department/{id}/members: the agents of a queue, all pages. */
  members(departmentId: Id, options?: PageOptions): AsyncGenerator<DepartmentMember, void, undefined> {
    return pages(
      this.#transport,
      {
        method: 'GET',
        path: path`/restapi/v1.0/account/~/department/${departmentId}/members`,
        reply: listOf(memberShape),
      },
      options,
    );
  }

  /**
   * POST /account/~/department/bulk-assign. Idempotent, but not retried automatically: read the members before you try
   * again.
   */
  async bulkAssign(items: readonly BulkAssignItem[], options?: RequestOptions): Promise<void> {
    return this.#transport.send(
      {
        method: 'POST',
        path: '/restapi/v1.0/account/~/department/bulk-assign',
        body: { items },
        reply: nothing,
      },
      options,
    );
  }
}
