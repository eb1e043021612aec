import { readMembershipTold } from '../../features/assignment/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError } from '../../errors/command.ts';
import type { View } from '../../runtime/output.ts';
import { toAgent, type AgentRow } from './agent-view.ts';

export interface AgentShowOptions {
  readonly agent: string;
}

const view: View<AgentRow> = {
  columns: [
    { key: 'id', title: 'Id', kind: 'id', value: (agent) => agent.id },
    { key: 'number', title: 'Number', value: (agent) => agent.extensionNumber },
    { key: 'name', title: 'Name', value: (agent) => agent.name },
    { key: 'email', title: 'E-mail', value: (agent) => agent.email },
    { key: 'status', title: 'Status', kind: 'status', value: (agent) => agent.status },
    {
      key: 'queues',
      title: 'Queues',
      value: (agent) =>
        agent.queues.map(({ name, extensionNumber }) => `${name} (${extensionNumber ?? '-'})`).join(', '),
    },
    { key: 'presence', title: 'Presence', kind: 'status', value: (agent) => agent.presence?.presenceStatus },
    {
      key: 'telephonyStatus',
      title: 'Telephone',
      kind: 'status',
      value: (agent) => agent.presence?.telephonyStatus,
    },
    { key: 'dndStatus', title: 'Calls taken', kind: 'status', value: (agent) => agent.presence?.dndStatus },
    { key: 'message', title: 'Message', value: (agent) => agent.presence?.message },
  ],
};

/** `agent show AGENT` */
export async function showAgent(ctx: Context, options: AgentShowOptions): Promise<void> {
  const api = await ctx.api();
  const directory = openDirectory(api, ctx.signal);
  const lookup = await directory.agent(options.agent);
  if (!lookup.found) throw lookupError(lookup);
  const agent = lookup.found;
  const queues = (await directory.all()).filter(({ type }) => type === 'Department');
  const members = await readMembershipTold(
    ctx,
    api,
    queues.map(({ id }) => id),
  );
  const own = queues.filter((queue) => members.get(String(queue.id))?.has(String(agent.id)));
  const presence = await api.presence.get(agent.id, {}, { signal: ctx.signal });
  await ctx.out.record<AgentRow>({ ...toAgent(agent, own), presence }, view);
}
