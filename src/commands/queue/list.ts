import type { Client } from '../../client/index.ts';
import type { Extension } from '../../contract/extension.ts';
import { cacheQueues, withAll } from '../../features/known-values/index.ts';
import type { Context } from '../../runtime/context.ts';
import { queueRows, type QueueRow } from './queue.rows.ts';

export interface QueueListOptions {
  readonly members?: boolean;
  readonly limit?: number;
}

/** `queue list`: the extensions of type Department. */
export async function listQueues(ctx: Context, options: QueueListOptions): Promise<void> {
  const api = await ctx.api();
  const { members, limit } = options;
  const extensions = api.extensions.list({ type: ['Department'] }, { signal: ctx.signal, limit });
  // Completion needs the complete list.
  const queues = limit === undefined ? withAll(extensions, (all) => cacheQueues(ctx, all)) : extensions;
  if (!members) return ctx.out.list<QueueRow>(queues, queueRows.list);
  await ctx.out.list(withCounts(api, queues, ctx.signal), queueRows.listWith('members'));
}

async function* withCounts(
  api: Client,
  queues: AsyncIterable<Extension>,
  signal: AbortSignal,
): AsyncGenerator<QueueRow, void, undefined> {
  for await (const queue of queues) {
    let members = 0;
    for await (const _ of api.departments.members(queue.id, { signal })) members += 1;
    yield { ...queue, members };
  }
}
