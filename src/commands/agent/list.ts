import type { Extension } from '../../contract/extension.ts';
import { readMembershipWithProgress } from '../../features/assignment/index.ts';
import { namedQueues, openDirectory } from '../../features/directory/index.ts';
import { cacheAgents } from '../../features/known-values/index.ts';
import {
  hasAvailability,
  readKnownPresences,
  type SignedOut,
  SignedOutReader,
} from '../../features/presence/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { View } from '../../runtime/output.ts';
import { agentRows, type Agent, type AgentRow } from './agent.rows.ts';

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
    .map((person) => ({ person, queues: queuesFor(String(person.id)) }));
  const view = agentRows.listWith(...(options.presence ? ['queueCalls', 'presence', 'dndStatus'] : []));
  const shown = options.queue.length > 0 ? ofGivenQueues(view) : view;
  const rows = options.presence ? withPresence(ctx, agents) : agents.map((agent) => agentRows.row({}, agent));
  await ctx.out.list(rows, shown);
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
  agents: readonly Agent[],
): AsyncGenerator<AgentRow, void, undefined> {
  const api = await ctx.api();
  const known = await readKnownPresences(ctx, api, agents.length);
  const reader = new SignedOutReader(ctx, api);
  const ofQueues = new Map<string, SignedOut | undefined>();
  const agentsOf = async (queueId: string): Promise<SignedOut | undefined> => {
    // After a failure, the requests for the other queues would probably fail, too.
    if (!ofQueues.has(queueId) && !reader.hasFailed) ofQueues.set(queueId, await reader.agents(queueId));
    return ofQueues.get(queueId);
  };
  for (const { person, queues } of agents) {
    const { id } = person;
    const presence = known.get(String(id)) ?? (await api.presence.get(id, {}, { signal: ctx.signal }));
    const isSignedOut = new Map<string, boolean>();
    for (const queue of queues) {
      const signedOut = (await agentsOf(String(queue.id)))?.get(String(id));
      if (signedOut !== undefined) isSignedOut.set(String(queue.id), signedOut);
    }
    const agent = { person, queues, ...(hasAvailability(ctx) && { isSignedOut }) };
    yield agentRows.row({ presence }, agent);
  }
}
