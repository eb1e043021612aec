import { showBoard, type BoardPerson } from '../../features/board/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { openSessionIfReachable } from '../../features/live/index.ts';
import { hasAvailability, type SignedOut, SignedOutReader } from '../../features/presence/index.ts';
import type { DepartmentMember } from '../../contract/department.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError } from '../../errors/command.ts';
import type { WatchOptions } from '../../runtime/watch-options.ts';
import { titleOf } from '../../runtime/with-number.ts';

export interface QueueWatchOptions extends WatchOptions {
  readonly queue: string;
}

/** `queue watch QUEUE`: shows a board until Ctrl-C. */
export async function watchQueue(ctx: Context, options: QueueWatchOptions): Promise<void> {
  const api = await ctx.api();
  const directory = openDirectory(api, ctx.signal);
  const queue = await directory.queue(options.queue);
  if (!queue.found) throw lookupError(queue);
  const { id, name, extensionNumber } = queue.found;
  const reader = new SignedOutReader(ctx, api);
  let signedOut: SignedOut = new Map();
  const people = async (): Promise<readonly BoardPerson[]> => {
    const members: DepartmentMember[] = [];
    for await (const member of api.departments.members(id, { signal: ctx.signal })) members.push(member);
    // The board may run for days, so a member may be newer than the names, or may have a new name.
    await directory.readAgainFor(
      members.map((member) => member.id),
      ctx.now(),
    );
    signedOut = (await reader.agents(id)) ?? signedOut;
    return Promise.all(
      members.map(async (member) => {
        const extension = await directory.byId(member.id);
        return {
          id: String(member.id),
          extensionNumber: member.extensionNumber ?? extension?.extensionNumber,
          name: extension?.name ?? `extension ${member.id}`,
          isSignedOut: signedOut.get(String(member.id)),
        };
      }),
    );
  };
  await showBoard(ctx, {
    api,
    title: titleOf({ id, name, extensionNumber }),
    people,
    peopleRequests: hasAvailability(ctx) ? 2 : 1,
    openSession: (events) => openSessionIfReachable(ctx, { api, receiver: 'board', options, ...events }),
    followsMembers: true,
    intervalSeconds: options.interval,
  });
}
