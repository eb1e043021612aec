import { queuesOf } from '../../features/assignment/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { acceptsQueueCalls } from '../../runtime/queue-calls.ts';
import { dialects } from '../../contract/dialects.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError } from '../../errors/command.ts';
import { queueAvailabilityRows } from './availability.rows.ts';

export interface AgentAvailabilityOptions {
  readonly agent: string;
}

/** `agent availability AGENT`: the queues of an agent, and whether the agent accepts the calls of each queue. */
export async function showAgentAvailability(ctx: Context, options: AgentAvailabilityOptions): Promise<void> {
  const api = await ctx.api();
  const directory = openDirectory(api, ctx.signal);
  const lookup = await directory.agent(options.agent);
  if (!lookup.found) throw lookupError(lookup);
  const agent = lookup.found;
  const all = (await directory.all()).filter(({ type }) => type === 'Department');
  if (dialects[ctx.settings.dialect.value].queues === 'call-queues') {
    const known = new Map(all.map((queue) => [String(queue.id), queue]));
    const records = await api.callQueues.availabilityOf(agent.id, { signal: ctx.signal });
    const rows = records.map(({ callQueue, acceptCalls }) => {
      const queue = known.get(callQueue.id);
      return queueAvailabilityRows.row(
        {},
        {
          // The extension list has IDs as numbers, like the other lists. The availability has them as text.
          id: queue?.id ?? callQueue.id,
          extensionNumber: queue?.extensionNumber ?? callQueue.extensionNumber,
          name: queue?.name ?? callQueue.name ?? `queue ${callQueue.id}`,
          acceptsQueue: acceptCalls,
          editable: callQueue.editableMemberStatus,
        },
      );
    });
    return ctx.out.list(rows, queueAvailabilityRows.list);
  }
  const own = await queuesOf(ctx, api, agent.id, all);
  const { dndStatus } = await api.presence.get(agent.id, {}, { signal: ctx.signal });
  const acceptsQueue = acceptsQueueCalls(dndStatus);
  const rows = all
    .filter(({ id }) => own.has(String(id)))
    .map((queue) => queueAvailabilityRows.row({}, { ...queue, acceptsQueue }));
  await ctx.out.list(rows, queueAvailabilityRows.list);
}
