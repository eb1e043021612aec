import type { Client } from '../../client/index.ts';
import type { Id } from '../../contract/common.ts';
import type { Extension } from '../../contract/extension.ts';
import { showBoard, type BoardPerson } from '../../features/board/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { openSessionIfReachable } from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { WatchOptions } from '../../runtime/watch-options.ts';
import { findPeople } from './who.ts';

export interface PresenceWatchOptions extends WatchOptions {
  readonly extensions: readonly string[];
  readonly queue?: string;
}

/** `presence watch EXT...`: shows a board until Ctrl-C. */
export async function watchPresence(ctx: Context, options: PresenceWatchOptions): Promise<void> {
  const { extensions, queue } = options;
  if ((queue === undefined) === (extensions.length === 0)) {
    throw usageError(
      'specify either extensions or --queue, but not both',
      nextStep`for example: ${ucctl('presence watch 101 102')}; or ${ucctl('presence watch --queue Support')}`,
    );
  }
  const api = await ctx.api();
  const directory = openDirectory(api, ctx.signal);
  const found = await findPeople(ctx, api, options, directory);
  const named = found.flatMap(({ id }) => (id === '~' ? [] : [id]));
  const own = named.length < found.length ? [await readOwn(ctx, api)] : [];
  const people = async (): Promise<readonly BoardPerson[]> => {
    // The board may run for days, so names may change.
    if (named.length > 0) await directory.readAgainFor(named, ctx.now());
    const others = await Promise.all(named.map(async (id) => personOf(id, await directory.byId(id))));
    return [...own, ...others];
  };
  await showBoard(ctx, {
    api,
    title: queue === undefined ? 'Presence' : `Presence of ${queue}`,
    people,
    peopleRequests: 1,
    openSession: (events) => openSessionIfReachable(ctx, { api, receiver: 'board', options, ...events }),
    followsMembers: false,
    intervalSeconds: options.interval,
  });
}

/** Returns the signed-in user, whose ID is only known from the presence. A presence may lack its extension. */
async function readOwn(ctx: Context, api: Pick<Client, 'presence'>): Promise<BoardPerson> {
  const { extension } = await api.presence.get('~', {}, { signal: ctx.signal });
  const known: Partial<typeof extension> = extension;
  return { id: String(known.id ?? '~'), extensionNumber: known.extensionNumber, name: 'you' };
}

function personOf(id: Id, extension: Extension | undefined): BoardPerson {
  return {
    id: String(id),
    extensionNumber: extension?.extensionNumber,
    name: extension?.name ?? `extension ${id}`,
  };
}
