import type { Extension } from '../../contract/extension.ts';
import { readMembershipWithProgress } from '../../features/assignment/index.ts';
import { namedQueues, openDirectory } from '../../features/directory/index.ts';
import { cacheAgents } from '../../features/known-values/index.ts';
import { readKnownPresences } from '../../features/presence/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { View } from '../../runtime/output.ts';
import { agentRows, type AgentRow } from './agent.rows.ts';

export interface AgentListOptions {
  readonly queue: readonly string[];
  readonly presence?: boolean;
  readonly idle?: boolean;
  readonly limit?: number;
}

export async function listAgents(ctx: Context, options: AgentListOptions): Promise<void> {
  const api = await ctx.api();
  const directory = openDirectory(api, ctx.signal);
  const all = await directory.all();
  await cacheAgents(
    ctx,
    all.filter(({ type }) => type === 'User'),
  );
  const queues = await namedQueues(directory, options.queue);
  const members = await readMembershipWithProgress(
    ctx,
    api,
    queues.map(({ id }) => id),
  );
  const queuesFor = (id: string): readonly Extension[] =>
    queues.filter((queue) => members.get(String(queue.id))?.has(id));
  const agents = all
    .filter((one) => one.type === 'User' || queuesFor(String(one.id)).length > 0)
    .filter((one) => one.type !== 'Department')
    .filter((one) => queuesFor(String(one.id)).length > 0 !== (options.idle ?? false))
    .slice(0, options.limit)
    .map((one) => agentRows.row({}, { person: one, queues: queuesFor(String(one.id)) }));
  const view = agentRows.listWith(...(options.presence ? ['presence', 'dndStatus'] : []));
  const shown = options.queue.length > 0 ? ofGivenQueues(view) : view;
  await ctx.out.list(options.presence ? withPresence(ctx, agents) : agents, shown);
}

/** Returns the view for `--queue`, which reads the agents of no other queues. */
function ofGivenQueues(view: View<AgentRow>): View<AgentRow> {
  const columns = view.columns.map((column) =>
    column.key === 'queues' ? { ...column, title: 'GIVEN QUEUES' } : column,
  );
  return { ...view, columns };
}

async function* withPresence(
  ctx: Context,
  agents: readonly AgentRow[],
): AsyncGenerator<AgentRow, void, undefined> {
  const api = await ctx.api();
  const known = await readKnownPresences(ctx, api, agents.length);
  for (const agent of agents) {
    const presence =
      known.get(String(agent.id)) ?? (await api.presence.get(agent.id, {}, { signal: ctx.signal }));
    yield { ...agent, presence };
  }
}
