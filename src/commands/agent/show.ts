import { queuesOf } from '../../features/assignment/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { hasAvailability, SignedOutReader } from '../../features/presence/index.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError } from '../../errors/command.ts';
import { agentRows } from './agent.rows.ts';

export interface AgentShowOptions {
  readonly agent: string;
}

export async function showAgent(ctx: Context, options: AgentShowOptions): Promise<void> {
  const api = await ctx.api();
  const directory = openDirectory(api, ctx.signal);
  const lookup = await directory.agent(options.agent);
  if (!lookup.found) throw lookupError(lookup);
  const agent = lookup.found;
  const queues = (await directory.all()).filter(({ type }) => type === 'Department');
  const ownIds = await queuesOf(ctx, api, agent.id, queues);
  const own = queues.filter(({ id }) => ownIds.has(String(id)));
  const presence = await api.presence.get(agent.id, {}, { signal: ctx.signal });
  const found = await new SignedOutReader(ctx, api).queues(agent.id);
  const isSignedOut = found ?? (hasAvailability(ctx) ? new Map<string, boolean>() : undefined);
  const row = agentRows.row({ presence }, { person: agent, queues: own, isSignedOut });
  await ctx.out.record(row, agentRows.record);
}
