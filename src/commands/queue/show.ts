import { openDirectory } from '../../features/directory/index.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError } from '../../errors/command.ts';
import { queueDetailRows, type QueueDetail } from './queue.rows.ts';

export interface QueueShowOptions {
  readonly queue: string;
}

export async function showQueue(ctx: Context, options: QueueShowOptions): Promise<void> {
  const api = await ctx.api();
  const directory = openDirectory(api, ctx.signal);
  const queue = await directory.queue(options.queue);
  if (!queue.found) throw lookupError(queue);
  const agents: QueueDetail['agents'][number][] = [];
  for await (const member of api.departments.members(queue.found.id, { signal: ctx.signal })) {
    const extension = await directory.byId(member.id);
    agents.push({
      id: member.id,
      extensionNumber: member.extensionNumber ?? extension?.extensionNumber,
      name: extension?.name ?? `extension ${member.id}`,
      status: extension?.status ?? 'unknown',
    });
  }
  await ctx.out.record<QueueDetail>({ ...queue.found, agents }, queueDetailRows.record);
}
