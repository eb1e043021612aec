import type { Extension } from '../../contract/extension.ts';
import { openDirectory } from '../../features/directory/index.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError } from '../../errors/command.ts';
import type { View } from '../../runtime/output.ts';

export interface QueueShowOptions {
  readonly queue: string;
}

interface QueueDetail extends Extension {
  readonly agents: readonly Pick<Extension, 'id' | 'extensionNumber' | 'name' | 'status'>[];
}

const view: View<QueueDetail> = {
  columns: [
    { key: 'id', title: 'Id', kind: 'id', value: (queue) => queue.id },
    { key: 'number', title: 'Number', value: (queue) => queue.extensionNumber },
    { key: 'name', title: 'Name', value: (queue) => queue.name },
    { key: 'email', title: 'E-mail', value: (queue) => queue.contact?.email },
    { key: 'status', title: 'Status', kind: 'status', value: (queue) => queue.status },
    { key: 'count', title: 'Agents', kind: 'number', value: (queue) => queue.agents.length },
    { key: 'agents', title: 'Who', value: (queue) => queue.agents.map(nameOf).join(', ') },
  ],
};

function nameOf({ name, extensionNumber, status }: QueueDetail['agents'][number]): string {
  const number = extensionNumber === undefined ? '' : ` (${extensionNumber})`;
  return `${name}${number}${status === 'Enabled' ? '' : ` ${status}`}`;
}

/** `queue show QUEUE` */
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
  await ctx.out.record<QueueDetail>({ ...queue.found, agents }, view);
}
