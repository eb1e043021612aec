import type { Notification } from '../../contract/subscription.ts';
import type { Channel } from './channel.ts';
import { Outage } from './outage.ts';
import type { BoardFeed, BoardParts, BoardUpdate, PresenceUpdate, UnreadableUpdate } from './parts.ts';
import { orWarn, readAll, requestMilliseconds, tryRead, untilEnd } from './reads.ts';
import { createRereader } from './reread.ts';
import type { BoardPerson, PresenceFields } from './state.ts';

/** Milliseconds between two reads of a person of a board with live events, in turn. */
const checkMilliseconds = 20_000;
const membersChange = 'CallQueueMembersChange';

/** Returns the event filters that keep a board of these people up to date. */
export function boardFilters(people: readonly BoardPerson[], followsMembers: boolean): readonly string[] {
  const account = '/restapi/v1.0/account/~/extension';
  return [
    ...people.map(({ id }) => `${account}/${id}/presence?detailedTelephonyState=true`),
    ...(followsMembers ? [account] : []),
  ];
}

/**
 * Reads everyone once, then applies events. The subscription already exists, so no event is missed. New members are
 * also read and subscribed to. If events were missed, everyone is read again. Because a receiver does not detect that the service is down, one person is read from
 * time to time, and everyone after an outage.
 */
export async function follow(
  parts: BoardParts,
  feed: BoardFeed,
  channel: Channel<BoardUpdate>,
): Promise<void> {
  let present: readonly BoardPerson[] = [];
  const readMembers = async (): Promise<void> => {
    const people = await orWarn(parts, () => parts.people());
    if (!people) return;
    const known = new Set(present.map(({ id }) => id));
    const fresh = people.filter(({ id }) => !known.has(id));
    channel.push({ kind: 'people', people });
    if (present.length > 0 && fresh.length > 0) {
      await orWarn(parts, () => feed.watch(boardFilters(people, parts.followsMembers)));
    }
    present = people;
    for await (const update of readAll(parts, fresh, () => Promise.resolve())) channel.push(update);
  };
  let membersRead = readMembers();
  const readEverything = (): void => {
    membersRead = membersRead.then(readMembers);
    for (const { id } of present) readAgain(id);
  };
  const outage = new Outage(parts.onProblem, readEverything);
  const take = (update: PresenceUpdate | UnreadableUpdate): void => {
    channel.push(update);
    outage.note(update.kind === 'unreadable' && update.reason === 'no response' ? update.text : undefined);
  };
  const readAgain = createRereader<PresenceUpdate | UnreadableUpdate>(channel, {
    read: (id) => tryRead(parts, id),
    onRead: (_id, update) => take(update),
    pause: () => parts.sleep(requestMilliseconds),
  });
  const checks = untilEnd(channel, async () => {
    await parts.sleep(checkMilliseconds);
    const [next, ...others] = present;
    if (!next) return;
    present = [...others, next];
    const update = await tryRead(parts, next.id);
    if (update) take(update);
  });
  for await (const notification of feed.notifications()) {
    if ('missed' in notification) {
      readEverything();
      channel.push({ kind: 'missed' });
      continue;
    }
    const update = updateOf(notification);
    if (update === 'members') membersRead = membersRead.then(readMembers);
    else if (update) {
      channel.push(update);
      readAgain(update.id);
    }
  }
  await Promise.all([membersRead, checks]);
}

function updateOf({ body, timestamp }: Notification): PresenceUpdate | 'members' | undefined {
  const event = (body ?? {}) as PresenceFields & {
    readonly extensionId?: string | number;
    readonly extensions?: readonly { readonly hints?: readonly string[] }[];
  };
  if (event.extensions?.some(({ hints }) => hints?.includes(membersChange))) return 'members';
  if (event.extensionId === undefined) return undefined;
  return { kind: 'presence', id: String(event.extensionId), fields: event, at: timeOf(timestamp) };
}

/** Returns the time of an event. Services write the offset as `Z`, `+0000` or `+00:00`. */
function timeOf(timestamp: unknown): number | undefined {
  const text = typeof timestamp === 'string' ? timestamp.replace(/([+-]\d{2})(\d{2})$/, '$1:$2') : '';
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
