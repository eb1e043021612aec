import type { Id } from '../../contract/common.ts';
import type { BulkAssignItem, DepartmentMember } from '../../contract/department.ts';
import type { RequestOptions } from '../call.ts';
import type { PageOptions } from '../paging.ts';

/** The members of call queues: docs/spec/queues.md. The dialect of the client selects the requests. */
export interface QueueMembers {
  /** Number of queues that one request can change. A call with more queues sends several requests. */
  readonly queuesPerRequest: number;
  /** Yields the agents of a queue, all pages. */
  members(queueId: Id, options?: PageOptions): AsyncGenerator<DepartmentMember, void, undefined>;
  /** Adds and removes agents. Idempotent, but not retried automatically: read the members before you try again. */
  bulkAssign(items: readonly BulkAssignItem[], options?: RequestOptions): Promise<void>;
}
