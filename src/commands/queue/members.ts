import type { DepartmentMember } from '../../contract/department.ts';
import type { Extension } from '../../contract/extension.ts';
import { lookupError } from '../../errors/command.ts';
import type { Context } from '../../runtime/context.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { memberRows, type MemberRow } from './member.rows.ts';

export interface QueueMembersOptions {
  readonly queue: string;
}

/** `queue members QUEUE`. The service lists IDs and numbers; names and statuses come from the extension list. */
export async function listQueueMembers(ctx: Context, options: QueueMembersOptions): Promise<void> {
  const api = await ctx.api();
  const directory = openDirectory(api, ctx.signal);
  const queue = await directory.queue(options.queue);
  if (!queue.found) throw lookupError(queue);
  const members = api.departments.members(queue.found.id, { signal: ctx.signal });
  await ctx.out.list(
    named(members, (id) => directory.byId(id)),
    memberRows.list,
  );
}

async function* named(
  members: AsyncIterable<DepartmentMember>,
  byId: (id: string | number) => Promise<Extension | undefined>,
): AsyncGenerator<MemberRow, void, undefined> {
  for await (const member of members) {
    yield memberRows.row(member, await byId(member.id));
  }
}
