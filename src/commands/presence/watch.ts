import { boardFilters, NotificationQueue, showBoard, type BoardPerson } from '../../features/board/index.ts';
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
  const people: BoardPerson[] = [];
  for (const { id, extension } of await findPeople(ctx, api, options)) {
    // The ID of the signed-in extension is only known from its presence.
    const own = id === '~' ? (await api.presence.get('~', {}, { signal: ctx.signal })).extension : undefined;
    people.push({
      id: String(own?.id ?? id),
      extensionNumber: own?.extensionNumber ?? extension?.extensionNumber,
      name: extension?.name ?? (own ? 'you' : `extension ${id}`),
    });
  }
  const notifications = new NotificationQueue();
  const session = await openSessionIfReachable(ctx, {
    api,
    eventFilters: boardFilters(people, false),
    receiver: 'board',
    options,
    onNotification: (received) => notifications.push(received),
    onMissed: () => notifications.miss(),
    onEnd: () => notifications.close(),
  });
  await showBoard(ctx, {
    api,
    title: queue === undefined ? 'Presence' : `Presence of ${queue}`,
    people: () => Promise.resolve(people),
    session,
    watched: people,
    notifications,
    followsMembers: false,
    intervalSeconds: options.interval,
  });
}
